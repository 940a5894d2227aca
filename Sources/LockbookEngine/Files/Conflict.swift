/// Something that a merge left for somebody to decide.
public struct Conflict: Sendable, Equatable, Codable {
    public enum Kind: String, Sendable, Codable, CaseIterable {
        /// Both versions are in the document, between markers.
        case markers
        /// Both versions are documents; this is the one of this device.
        case keptBoth
        /// One side wrote in it and the other deleted it; it is in the trash.
        case trashed
    }

    /// 32 hexadecimal digits.
    public var id: String
    public var path: String
    public var kind: Kind
    /// Where the other version is, when both are documents.
    public var other: String?
    /// When it was merged here, or came with markers from another device: milliseconds since 1970.
    public var time: Int64
}

/// Which side of a conflict stays.
public enum KeptSide: String, Sendable, CaseIterable {
    /// That of this device, wherever it was merged.
    case local
    /// That of the other one.
    case remote
    /// Both: one after the other without markers, as two documents, or out of the trash.
    case both
}
