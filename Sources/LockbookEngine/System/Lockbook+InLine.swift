import Synchronization

extension Lockbook {
    /// What is waited for while a method that may need the server does not return: that, or what
    /// another process does; nil while this device itself is at work.
    public var awaited: AwaitedWork? {
        if let other = inLine.withLock({ $0 }) { return other }
        return environment.openRequests.oldest.map { AwaitedWork(account.server.url, since: $0) }
    }

    /// Takes the lock of what is open, or waits for the process that holds it.
    /// - Parameters:
    ///   - byte: which of its locks, where it has one for each byte.
    ///   - work: what that one does.
    /// - Throws: `.busy` when it took too long.
    func lock(
        _ file: DiskFile,
        at byte: Int64? = nil,
        from work: String,
        seconds: Double
    ) async throws -> LockFile {
        if let lock = try LockFile(file, at: byte, waitingSeconds: 0) { return lock }
        // By its number whoever has to wait finds one that was stopped, or hangs.
        let holder = byte == nil ? LockFile.holder(of: file) : nil
        let work = work + (holder.map { ", process \($0)" } ?? "")
        inLine.withLock { $0 = AwaitedWork(work, since: .now, isLock: true) }
        defer { inLine.withLock { $0 = nil } }
        guard let lock = try await LockFile.waiting(for: file, at: byte, seconds: seconds)
        else {
            throw LockbookError.busy(what: work)
        }
        return lock
    }
}
