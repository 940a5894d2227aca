import FoundationEssentials
import LockbookAPI
import LockbookCrypto
import LockbookModel
import SwiftProtobuf

extension Sync {
    /// Asks the server for contents of what is to be pushed that are not here, once in a sync.
    ///
    /// One whose database was put back to before them may have them still. What others share only they
    /// bring back: a name alone gives nobody else a content.
    /// - Returns: whether it has some, with which there is more to be pushed.
    mutating func findAtServer() async throws -> Bool {
        guard atServer == nil, !store.context.isForeign else { return false }
        let unreadable = try store.read { try $0.unreadableContents() }
        let names = Set(unreadable.values).sorted()
        var found: Set<BlobName> = []
        var rest = names[...]
        while !rest.isEmpty {
            let part = rest.prefix(Wire.maximumNamesPerRequest)
            rest = rest.dropFirst(part.count)
            let answer: Lockbook_V1_MissingResponse = try await server.ask(
                .missing,
                .with { $0.blobs = part.map { Data($0.hash.bytes) } }
                    as Lockbook_V1_MissingRequest
            )
            let missing = Set(answer.blobs)
            found.formUnion(part.filter { !missing.contains(Data($0.hash.bytes)) })
        }
        atServer = found
        guard !found.isEmpty else { return false }
        // What is still to be said of the others is said again.
        let files = Set(unreadable.keys.map(\.description))
        report.notes.removeAll { $0.kind == .notPushed && files.contains($0.id) }
        return true
    }
}

extension LocalTree {
    /// The contents of which a change waits that can be pushed once they are somewhere, by its file.
    fileprivate func unreadableContents() throws -> [FileID: BlobName] {
        var names: [FileID: BlobName] = [:]
        for row in try changedRows() where !row.isDamaged {
            guard let local = row.local else { continue }
            let record = try FileRecord(local)
            // What was made here and deleted again nobody misses elsewhere.
            if let blob = record.facts.blob, blob.size <= Wire.maximumBlobByteCount,
                try isUnreadable(record), try !(row.base == nil && isDead(row))
            {
                names[row.id] = blob.name
            }
        }
        return names
    }
}
