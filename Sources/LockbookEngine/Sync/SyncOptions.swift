/// What a caller may ask of a sync.
public struct SyncOptions: Sendable {
    /// Fetch every content, however large.
    public var full = false
    /// Go on although much would be deleted or replaced.
    public var acceptDeletions = false
    /// Follow a server that was put back to an earlier state, and push again what it lost.
    public var acceptsRollback = false
    /// Say of what is pushed what happened here to each file.
    public var listsChanges = false
    /// Find out what a sync would do, and do nothing of it.
    public var isDryRun = false

    public init() {}
}
