import LockbookCrypto
import LockbookModel

/// Entries that a log must have, though it is not here as far as that.
extension Sync {
    /// How far the log went a new device knows from the key, and from what the server said then.
    ///
    /// One that reads it anew knows that from what it had.
    /// - Parameter newest: the last entry that the server shows.
    func checkRequired(_ newest: LogHead?) throws {
        let position = newest?.position ?? 0
        for required in try store.read({ try $0.requiredHeads() })
        where position < required.position {
            throw LockbookError.rolledBack(known: required.position, shown: position)
        }
    }

    /// Once the log is here, its head says more.
    ///
    /// What is its end by the server's word alone does not.
    func forgetReached() throws {
        let isReached = try store.read { tree in
            let position = try tree.head()?.position ?? 0
            return try tree.requiredHeads().allSatisfy { $0.position <= position }
        }
        if isReached { try forgetRequired() }
    }

    func forgetRequired() throws {
        guard try !store.read({ try $0.requiredHeads().isEmpty }) else { return }
        try store.write { try $0.forgetRequiredHeads() }
    }
}

extension LocalTree {
    /// Entries that the log must have, though it is not here as far as that.
    func requiredHeads() throws -> [LogHead] {
        try [.minimumHead, .shownHead].compactMap { try setting($0) }
            .compactMap { LogHead(bytes: $0) }
    }

    func forgetRequiredHeads() throws {
        try set(.minimumHead, to: nil)
        try set(.shownHead, to: nil)
    }
}

extension LogHead {
    /// Every header that is taken in passes here, whoever signed it.
    /// - Throws: `.rolledBack` where the log has another entry in that place.
    func requireIn(_ required: [LogHead]) throws {
        for other in required where other.position == position && other.hash != hash {
            throw LockbookError.rolledBack(known: position, shown: position)
        }
    }
}
