import LockbookCrypto
import LockbookModel
import LockbookTestSupport
import Testing

@testable import LockbookEngine

extension Intruder {
    /// What becomes of a file that no file may become.
    enum Step: CaseIterable, Sendable {
        /// Of a folder a document.
        case type
        /// Of one with a later key one with an earlier one.
        case epoch
        /// Another key in the same epoch.
        case key
    }

    /// Records of a new file in the shared folder, of which each but the last may follow the one before.
    func records(endingWith step: Step) throws -> [FileRecord] {
        let (key, later) = (FileKey(random: .system), FileKey(random: .system))
        let id = FileID(random: .system)
        switch step {
        case .type:
            return [try record(.folder, id, key), try record(.document, id, key)]
        case .epoch:
            let first = try record(.document, id, key)
            let second = try record(.document, id, later, after: key)
            return [first, second, try record(.document, id, key)]
        case .key:
            return [try record(.document, id, key), try record(.document, id, later)]
        }
    }

    /// - Parameter previous: the key of the first epoch, of a record in the second one.
    private func record(
        _ type: FileType,
        _ id: FileID,
        _ key: FileKey,
        after previous: FileKey? = nil
    ) throws -> FileRecord {
        try share.store.read { tree in
            let top = try #require(try tree.row(scope))
            var file = try file(type, "step", in: scope, id: id)
            if previous != nil { file.epoch = 2 }
            return try FileRecord(
                sealing: file,
                owner: owner,
                key: key,
                previous: previous,
                in: FolderKeys(of: try tree.key(of: top)),
                random: .system
            )
        }
    }
}
