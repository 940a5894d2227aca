/// The nodes that a canvas lists, and its edges from one to another (https://jsoncanvas.org).
struct CanvasCheck {
    private var nodes: Set<[UInt8]> = []
    /// Where edges begin and end.
    private var ends: Set<[UInt8]> = []

    /// Notes a text that stands behind a key of one element of a list.
    mutating func note(_ text: [UInt8], of key: [UInt8], in list: [UInt8]) {
        switch list {
        case Self.listOfNodes where key == Self.id: nodes.insert(text)
        case Self.listOfEdges where Self.keysOfEnds.contains(key): ends.insert(text)
        default: break
        }
    }

    /// The nodes that edges lead to and that are not there.
    var faults: [StructuredFault: Int] {
        let unknown = ends.subtracting(nodes).map { (StructuredFault.unknownNode($0), 1) }
        return Dictionary(uniqueKeysWithValues: unknown)
    }

    private static let listOfNodes = Array("nodes".utf8)
    private static let listOfEdges = Array("edges".utf8)
    private static let id = Array("id".utf8)
    private static let keysOfEnds = [Array("fromNode".utf8), Array("toNode".utf8)]
}
