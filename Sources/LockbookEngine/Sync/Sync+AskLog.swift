import FoundationEssentials
import LockbookAPI
import LockbookCrypto
import LockbookModel
import SwiftProtobuf

/// What a sync asks the server about a log, and what that says before anything of it is looked at.
extension Sync {
    /// What the server told already of this log, or tells now.
    mutating func update(
        _ told: Lockbook_V1_LogUpdate?,
        after position: Lockbook_V1_LogPosition
    ) async throws -> Lockbook_V1_LogUpdate {
        let update: Lockbook_V1_LogUpdate
        if let told, !told.isAnnouncement {
            update = told
        } else {
            update = try await ask(position)
        }
        guard Array(update.log) == owner.hash.bytes else {
            throw LockbookError.integrity(reason: "the server answers for another log")
        }
        return update
    }

    /// What became of this log since it was read, as the server says.
    func fate() async throws -> Fate {
        let known = try store.read { try $0.shownEnd() }
        let update = try await askAlone(position(known, nil))
        guard update.end.isEmpty else {
            _ = try AccountEnd(verifying: Array(update.end), of: owner)
            return .ended
        }
        return update.headPosition > known?.position ?? 0 ? .changed : .asKnown
    }

    /// Whether an account shares something with this one, as the server says.
    func isOffered(by other: AccountID) async throws -> Bool {
        try await askForNews(of: []).offers.contains {
            try AccountCertificate(verifying: Array($0)).account == other
        }
    }

    enum Fate {
        case asKnown
        /// It has entries that this device does not know.
        case changed
        /// Its owner has deleted the account.
        case ended
    }

    /// Asks for what is new in this log, the first time with all others that are followed.
    private mutating func ask(_ position: Lockbook_V1_LogPosition) async throws
        -> Lockbook_V1_LogUpdate
    {
        let others = try followedPositions()
        let answer = try await askForNews(of: [position] + others)
        guard let update = answer.logs.first, answer.logs.count == 1 + others.count else {
            throw LockbookError.integrity(reason: "the server answers for another log")
        }
        try take(answer)
        return update
    }

    func position(_ known: LogHead?, _ cursor: Lockbook_V1_CheckpointCursor?)
        -> Lockbook_V1_LogPosition
    {
        .with {
            $0.log = Data(owner.hash.bytes)
            $0.known = known != nil
            $0.position = known?.position ?? 0
            $0.head = Data(known?.hash.bytes ?? [])
            if let cursor { $0.cursor = cursor }
        }
    }
}
