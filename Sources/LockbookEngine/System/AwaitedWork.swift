/// What somebody else has to do before a method returns.
public struct AwaitedWork: Sendable, Equatable {
    /// The address of a server, or what another process does.
    public var name: String
    /// Since when it is waited for; nil where that is not known.
    public var since: ContinuousClock.Instant?
    /// Whether it is done on this device, by a process that holds a lock.
    public var isLock: Bool

    public init(
        _ name: String,
        since: ContinuousClock.Instant? = nil,
        isLock: Bool = false
    ) {
        self.name = name
        self.since = since
        self.isLock = isLock
    }
}
