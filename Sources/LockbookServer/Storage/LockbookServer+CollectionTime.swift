import Logging

extension LockbookServer {
    /// How much time may have passed from one collection to the next, in seconds.
    private static let longestStep: Int64 = 86_400

    /// Collects as `collect` does, by a time that follows the clock a day at most each time.
    ///
    /// A machine that starts with its clock years ahead would drop all history, and every invitation, at
    /// once; so it loses no more days than it has hours until somebody sets the clock. A server that was off
    /// for long comes up with the clock in the same way.
    /// - Returns: how many rows went.
    @discardableResult
    package func collectNext() async throws -> Int {
        let now = settings.now()
        let last = try await store.read { try $0.collectionTime() }
        let step = Self.longestStep
        let time = last.map { min($0, now - step) + step } ?? now
        if time < now {
            logger.warning(
                "the clock is far ahead of the last collection, which follows it a day at a time",
                metadata: ["days": "\((now - time) / 86_400)"]
            )
        }
        do {
            try await store.write { try $0.note(collectionTime: time) }
        } catch StoreFailure.full {
            // What is collected makes room.
        }
        return try await collect(at: time)
    }
}
