import LockbookCrypto
import LockbookModel

extension LocalTree {
    /// The shared files that stand at the top of another account's store.
    func tops() throws -> Set<FileID> {
        guard isForeign else { return [] }
        return Set(try held().keys.filter { try isTop($0, in: $0) })
    }

    /// Whether records give folders that are here another key, or another scope.
    func changesSeats(_ records: [FileID: FileRecord]) throws -> Bool {
        try records.values.contains { record in
            guard record.facts.type == .folder, let bytes = try row(record.facts.id)?.current else {
                return false
            }
            let old = try FileRecord(bytes).facts
            return old.epoch != record.facts.epoch || old.scope != record.facts.scope
        }
    }

    /// Seals changes of this device again for folders that have another key or scope now.
    /// - Parameter keys: of the folders, and other files, that have another one.
    func reseat(_ files: [FileID: File], under keys: [FileID: FileKey]) throws {
        for (id, file) in files.sorted(by: { $0.key < $1.key }) {
            guard id != root, try !file.isTop(in: self), let row = try row(id),
                let local = row.local,
                let folder = try self.row(file.parent)
            else { continue }
            let facts = try FileRecord(local).facts
            let folderFacts = try record(of: folder).facts
            let begins = try row.base.map { try FileRecord($0).facts.scope == id } ?? false
            let scope = begins ? id : folderFacts.scope
            guard
                facts.parentEpoch != folderFacts.epoch || facts.scope != scope
                    || keys[folder.id] != nil
            else { continue }
            var file = file
            if begins { file.scope = id }
            try put(try file.placed(in: self))
        }
    }
}
