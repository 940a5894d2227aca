import LockbookCrypto
import LockbookModel

/// Files whose newest record does not open: signed by somebody who may write there, and nonsense.
extension LocalTree {
    /// Keeps the record, with the id of the file for its name.
    /// - Parameter isHidden: whether the file is in no folder any more, whatever the record says.
    func storeDamaged(_ record: FileRecord, over row: FileRow?, isHidden: Bool = false) throws {
        let facts = record.facts
        guard let name = DirectoryBlock.damagedName(facts.id) else { return }
        var file = File(
            id: facts.id,
            parent: try isTop(facts) ? root : facts.parent,
            type: facts.type,
            name: name,
            at: environment.now(),
            author: facts.author,
            device: facts.device,
            deviceName: "",
            scope: facts.scope,
            epoch: facts.epoch,
            parentEpoch: facts.parentEpoch
        )
        file.isDeleted = facts.isDeleted || isHidden
        try store(
            file,
            row: row,
            tag: facts.nameTag,
            base: record.bytes,
            local: nil,
            isDamaged: true
        )
    }

    /// Purges a damaged file, as its owner.
    /// - Throws: `.ownersToPurge` for one that another account shares.
    func purgeDamaged(_ row: FileRow) throws {
        guard !isForeign else { throw LockbookError.ownersToPurge(path: try path(of: row)) }
        try purge(row)
    }

    /// Takes a damaged file out of its folder until the server knows that it is purged.
    func hide(_ row: FileRow) throws {
        guard let base = row.base else { return }
        try storeDamaged(try FileRecord(base), over: row, isHidden: true)
        try noteDeletion(of: row.id)
    }

    /// What a listing of the folder calls by this name because its own does not open.
    func damagedChild(_ name: FileName, of folder: FileRow) throws -> FileRow? {
        let prefix = DirectoryBlock.damagedPrefix
        // Fewer digits would mean many files, on the way to every path that is not there.
        guard name.text.hasPrefix(prefix), name.text.count == prefix.count + 12 else { return nil }
        let digits = String(name.text.dropFirst(prefix.count))
        return try rows(idPrefix: digits).first { row in
            row.isDamaged && !row.isDeleted && row.parent == folder.id
                && DirectoryBlock.damagedName(row.id) == name
        }
    }
}
