import LockbookAPI
import LockbookCrypto
import LockbookModel

/// Entries with more records than one answer has room for: those of a large folder that was shared,
/// or taken back.
extension Sync {
    /// How often an entry is begun anew because the log was shortened meanwhile.
    private static let beginCount = 3

    /// Asks for the rest of an entry's records, when an answer has only a part of them.
    /// - Parameter position: what was asked for.
    func whole(_ update: Lockbook_V1_LogUpdate, after position: Lockbook_V1_LogPosition)
        async throws -> Lockbook_V1_LogUpdate
    {
        var update = update
        for _ in 0..<Self.beginCount {
            if let whole = try await completed(update, after: position) { return whole }
            update = try await askAlone(position)
        }
        throw LockbookError.integrity(reason: "the server does not go on with what it began")
    }

    /// What is new in this log, without asking for any other.
    func askAlone(_ position: Lockbook_V1_LogPosition) async throws -> Lockbook_V1_LogUpdate {
        let answer = try await askForNews(of: [position])
        guard let update = answer.logs.first, Array(update.log) == owner.hash.bytes else {
            throw LockbookError.integrity(reason: "the server answers for another log")
        }
        return update
    }

    /// Nil when the server cannot go on: entries gave way to a checkpoint, or a right ended.
    private func completed(
        _ update: Lockbook_V1_LogUpdate,
        after position: Lockbook_V1_LogPosition
    ) async throws -> Lockbook_V1_LogUpdate? {
        guard update.hasNext else { return update }
        var update = update
        let listed = try update.listedRecordCount
        var position = position
        position.clearCursor()
        var byteCount = 0
        while update.hasNext {
            // Without an end the rest of a log would never be looked at, and memory is not endless.
            guard update.entries.count == 1, update.records.count < listed,
                byteCount <= Wire.maximumEntryByteCount
            else {
                throw LockbookError.integrity(
                    reason: "the server announces records that no entry lists"
                )
            }
            progress(.pulling(files: update.records.count))
            position.entryCursor = update.next
            let part = try await askAlone(position)
            guard part.entries.isEmpty, !part.hasCheckpoint, !part.records.isEmpty else {
                return nil
            }
            update.records += part.records
            byteCount += part.records.reduce(0) { $0 + $1.count }
            update.more = part.more
            if part.hasNext { update.next = part.next } else { update.clearNext() }
        }
        return update
    }
}

extension Lockbook_V1_LogUpdate {
    /// Whether it says that there is news, and brings none: for that the log is asked for alone.
    var isAnnouncement: Bool { more && entries.isEmpty && !hasCheckpoint }

    /// How many records the entries list that can be seen.
    fileprivate var listedRecordCount: Int {
        get throws {
            var count = 0
            for group in entries.flatMap(\.groups) {
                guard case .whole(let bytes) = group.content else { continue }
                count += try EntryGroup(Array(bytes)).records.count
            }
            return count
        }
    }
}
