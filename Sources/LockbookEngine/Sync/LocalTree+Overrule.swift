import LockbookCrypto
import LockbookModel

/// Records of nonsense that members signed over files of this account: what stood there before goes back.
///
/// A folder whose key or body does not open any more would take all that stands in it along, on every device that
/// has not seen what it was.
extension LocalTree {
    /// Whether this device has what such a record wrote over, and may put it back with the next push.
    ///
    /// Under new keys of the file or of its folder it has nothing that would open for the others.
    func overrules(_ record: FileRecord) throws -> Bool {
        let facts = record.facts
        guard !isForeign, let row = try row(facts.id), !row.isDamaged, try !isPurged(row.id),
            let base = try row.base.map({ try FileRecord($0).facts }),
            base.epoch == facts.epoch, base.parentEpoch == facts.parentEpoch
        else { return false }
        do {
            return try file(row).content.map { try hasBlob($0.blob) } ?? true
        } catch is DamagedRecord {
            return false
        }
    }

    /// Makes what stands here a change over records that do not open.
    func overrule(_ records: [FileRecord], _ summary: inout MergeSummary) throws {
        for record in records.sorted(by: { $0.facts.id < $1.facts.id }) {
            guard let row = try row(record.facts.id), row.base != record.bytes else { continue }
            let sealed = try seal(try file(row), row: row)
            try store(
                try file(row),
                row: row,
                tag: sealed.facts.nameTag,
                base: record.bytes,
                local: sealed.bytes,
                isDamaged: false
            )
            summary.notes.append(
                SyncReport.Note(
                    kind: .overruled,
                    id: row.id.description,
                    path: try path(of: row),
                    detail: try username(of: record.facts.author)
                )
            )
        }
    }

    /// Gives a damaged folder of this account, whose key opens, the name that it is listed by: it is what
    /// everything in it stands in.
    /// - Returns: whether it could be done.
    func takeOverDamaged(_ row: FileRow) throws -> Bool {
        guard !isForeign, row.isDamaged, row.type == .folder, let base = row.base,
            let name = DirectoryBlock.damagedName(row.id)
        else { return false }
        let facts = try FileRecord(base).facts
        var file = File(
            id: row.id,
            parent: row.parent,
            type: .folder,
            name: name,
            at: environment.now(),
            author: author,
            device: account.device,
            deviceName: environment.deviceName,
            scope: facts.scope,
            epoch: facts.epoch,
            parentEpoch: facts.parentEpoch
        )
        file.isDeleted = row.isDeleted
        let sealed: FileRecord
        do { sealed = try seal(file, row: row) } catch is DamagedRecord { return false }
        try store(
            file,
            row: row,
            tag: sealed.facts.nameTag,
            base: base,
            local: sealed.bytes,
            isDamaged: false
        )
        return true
    }
}
