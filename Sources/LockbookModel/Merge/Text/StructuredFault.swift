/// What a document that parses may still have wrong, and a merge may not bring in.
enum StructuredFault: Hashable, Sendable {
    /// A key or an id that is there more than once.
    case repeated([UInt8])
    case unknownPrefix([UInt8])
    case unknownEntity([UInt8])
    /// A node of a canvas that an edge leads to, or from, and that is not there.
    case unknownNode([UInt8])

    /// The faults of keys or ids that come again as often as is said.
    static func all(_ counts: [[UInt8]: Int]) -> [StructuredFault: Int] {
        Dictionary(uniqueKeysWithValues: counts.map { (Self.repeated($0.key), $0.value) })
    }
}
