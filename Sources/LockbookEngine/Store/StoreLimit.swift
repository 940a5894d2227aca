/// Why the data directory takes nothing more.
public enum StoreLimit: Sendable {
    /// It has no room.
    case full
    /// Nothing in it may be changed.
    case unwritable
}
