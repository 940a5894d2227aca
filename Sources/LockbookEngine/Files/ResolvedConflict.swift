/// What became of a conflict for which a side was chosen.
public struct ResolvedConflict: Sendable, Equatable {
    /// Where the file is afterwards; nil when it is deleted.
    public var path: String?
    /// How many places with two versions are left in it, none of which is known to be the local one:
    /// as long as there are some, it stays a conflict.
    public var placesLeft: Int
}
