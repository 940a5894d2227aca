/// How far a sync is.
public enum SyncProgress: Sendable, Equatable {
    case connecting
    case pulling(files: Int)
    case merging
    case uploading(done: UInt64, of: UInt64)
    case downloading(done: UInt64, of: UInt64)
    case finishing
}
