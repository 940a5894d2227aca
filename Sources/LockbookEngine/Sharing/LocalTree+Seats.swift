import LockbookCrypto
import LockbookModel

extension LocalTree {
    /// The shared files that stand at the top of another account's store.
    func tops() throws -> Set<FileID> {
        guard isForeign else { return [] }
        return Set(try held().keys)
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
    func reseat(_ files: [FileID: File]) throws {
        for (id, file) in files.sorted(by: { $0.key < $1.key }) {
            guard id != root, !file.isTop(in: self), let row = try row(id), let local = row.local,
                let folder = try self.row(file.parent)
            else { continue }
            let facts = try FileRecord(local).facts
            let folderFacts = try record(of: folder).facts
            let scope = facts.scope == id ? id : folderFacts.scope
            guard facts.parentEpoch != folderFacts.epoch || facts.scope != scope else { continue }
            try put(try file.placed(in: self))
        }
    }

    /// Why a change cannot be pushed as it stands: it would take a file out of a share with the key
    /// that its members know.
    func borderObstacle(to record: FileRecord) throws -> String? {
        guard let bytes = try row(record.facts.id)?.base else { return nil }
        let scope = try FileRecord(bytes).facts.scope
        guard scope != record.facts.scope, scope != root else { return nil }
        return "it was moved out of a shared folder; move it back, or copy it and delete it there"
    }
}
