import GRDB
import LockbookCrypto
import LockbookModel

/// A store of what another account shares: the shared files stand in a root of this device's own
/// making, each under its id, because nothing is seen of the folders that they are in.
extension LocalTree {
    /// Whether this is a shared file of another account's tree, above which nothing is seen.
    func isTop(_ facts: FileFacts) throws -> Bool {
        try isTop(facts.id, in: facts.scope)
    }

    /// A shared file may also stand inside of another one that is seen.
    func isTop(_ id: FileID, in scope: FileID) throws -> Bool {
        guard isForeign, scope == id, id != root else { return false }
        if seats.tops.contains(id) { return true }
        guard !seats.inside.contains(id) else { return false }
        return try row(id).map { $0.parent == root } ?? false
    }

    /// The same of a file that is here, as far as it opens.
    func isTop(_ row: FileRow) -> Bool {
        guard isForeign, row.parent == root, row.id != root, !row.isDamaged else { return false }
        return !seats.inside.contains(row.id) && (try? scope(of: row)) == row.id
    }

    /// Shared files move to the top of the store, or from there into others.
    func take(_ new: ShareSeats) throws {
        for id in new.tops.union(new.inside) {
            guard let row = try row(id), (row.parent == root) != new.tops.contains(id) else {
                continue
            }
            // By its old place, as long as that is its place; it may be that nothing opens it.
            _ = try? key(of: row)
        }
        seats = new
    }

    /// The file as this store has it: a shared one stands in the root under its id.
    func toppedOff(_ file: File) throws -> File {
        guard try file.isTop(in: self), let name = try? FileName(file.id.description) else {
            return file
        }
        var file = file
        file.parent = root
        file.name = name
        return file
    }

    /// So that it is found by its name here, which is its id.
    func tagOfTop(_ file: File) throws -> Hash256 {
        try folderKeys(of: try rootRow()).tag.tag(file.name.normalized)
    }

    /// The shared file whose id this is.
    func top(_ id: FileID) throws -> FileRow? {
        guard let row = try row(id), row.parent == root, row.id != root else { return nil }
        return row
    }

    /// What its owner calls a shared file.
    func ownersName(of row: FileRow) throws -> FileName {
        if row.isDamaged, let name = DirectoryBlock.damagedName(row.id) { return name }
        return try record(of: row).file(key: try key(of: row)).name
    }

    /// The same as it is shown: by its id also where a folder above it does not open.
    func shownTitle(of row: FileRow) throws -> FileName {
        do { return try ownersName(of: row) } catch let damage as DamagedRecord {
            guard let name = DirectoryBlock.damagedName(row.id) else { throw damage }
            return name
        }
    }

    func wrappedKey(of facts: FileFacts) throws -> FileKey {
        guard let wrap = try wrap(of: facts.id, epoch: facts.epoch) else {
            throw DamagedRecord.keyDoesNotOpen
        }
        do {
            return try openedKeys.wrapped.value(of: wrap.bytes) { _ in
                try wrap.open(with: keys.agreement)
            }
        } catch {
            throw DamagedRecord.keyDoesNotOpen
        }
    }

    func wrap(of file: FileID, epoch: UInt32) throws -> GranteeWrap? {
        try Row.fetchOne(
            db.cachedStatement(sql: "SELECT bytes FROM share_wrap WHERE file = ? AND epoch = ?"),
            arguments: [file.bytes.data, Int64(epoch)]
        ).map { try GranteeWrap($0.bytes(0)) }
    }

    func keep(_ wrap: GranteeWrap) throws {
        try db.execute(
            sql: "INSERT OR REPLACE INTO share_wrap (file, epoch, bytes) VALUES (?, ?, ?)",
            arguments: [wrap.file.bytes.data, Int64(wrap.epoch), wrap.bytes.data]
        )
    }

    /// Keeps the keys that come with a page.
    ///
    /// After a server was put back one may be another than that of the same epoch which opens what is
    /// here: that one is found before, and needed until the page is merged. One that opens nothing
    /// does not take the place of one that does: an admin may have signed it.
    /// - Parameter records: those of the page.
    /// - Returns: the wraps that others took the place of.
    func keepWraps(_ wraps: [GranteeWrap], for records: [FileID: FileRecord]) throws
        -> [GranteeWrap]
    {
        var (kept, replaced): ([GranteeWrap], [GranteeWrap]) = ([], [])
        for wrap in wraps {
            let before = kept.last { ($0.file, $0.epoch) == (wrap.file, wrap.epoch) }
            if let old = try before ?? self.wrap(of: wrap.file, epoch: wrap.epoch),
                old.bytes != wrap.bytes
            {
                let row = try row(wrap.file)
                let record = try [records[wrap.file], row?.base.map { try FileRecord($0) }]
                    .compactMap(\.self).first { $0.facts.epoch == wrap.epoch }
                if let record, opens(old, record), !opens(wrap, record) { continue }
                if before == nil { replaced.append(old) }
                if let row { _ = try? key(of: row) }
            }
            kept.append(wrap)
        }
        for wrap in kept { try keep(wrap) }
        return replaced
    }

    /// Whether a wrap holds the key that a record names.
    private func opens(_ wrap: GranteeWrap, _ record: FileRecord) -> Bool {
        let key = try? wrap.open(with: keys.agreement)
        return key?.bodyKey().commitment == record.keyCommitment
    }

    /// A change inside of a shared file; place and name are not this account's to change.
    func sealTop(_ file: File, row: FileRow, key: FileKey) throws -> FileRecord {
        let old = try FileRecord(row.base ?? row.current ?? [])
        var file = file
        file.name = try old.file(key: key).name
        return try FileRecord(sealing: file, keeping: old, key: key, random: environment.random)
    }

    /// Makes the root that shared files stand in here; it is never pushed.
    func makeForeignRoot() throws {
        guard isForeign, try row(root) == nil else { return }
        let file = File(
            id: root,
            parent: root,
            type: .folder,
            name: try FileName("shared"),
            at: environment.now(),
            author: author,
            device: account.device,
            deviceName: environment.deviceName,
            scope: root
        )
        let key = FileKey(random: environment.random)
        let record = try FileRecord(
            sealing: file,
            owner: owner,
            key: key,
            in: FolderKeys(root: keys),
            random: environment.random
        )
        fileKeys[root] = key
        try store(
            file,
            row: nil,
            tag: record.facts.nameTag,
            base: record.bytes,
            local: nil,
            isDamaged: false
        )
    }
}

extension File {
    func isTop(in tree: LocalTree) throws -> Bool {
        try tree.isTop(id, in: scope)
    }
}
