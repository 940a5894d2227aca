/// The nodes that a canvas lists, and its edges from one to another (https://jsoncanvas.org).
struct CanvasCheck {
    private var nodes: Set<[UInt8]> = []
    private var edges: Set<[UInt8]> = []
    /// Where edges begin and end.
    private var ends: Set<[UInt8]> = []
    private var repeated: [[UInt8]: Int] = [:]

    /// Notes a text that stands behind a key of one element of a list.
    mutating func note(_ text: [UInt8], of key: [UInt8], in list: [UInt8]) {
        switch list {
        case Self.listOfNodes where key == Self.id: note(text, in: \.nodes)
        case Self.listOfEdges where key == Self.id: note(text, in: \.edges)
        case Self.listOfEdges where Self.keysOfEnds.contains(key): ends.insert(text)
        default: break
        }
    }

    private mutating func note(
        _ id: [UInt8],
        in known: WritableKeyPath<CanvasCheck, Set<[UInt8]>>
    ) {
        if !self[keyPath: known].insert(id).inserted { repeated[id, default: 0] += 1 }
    }

    /// How often each id comes again, and the nodes that edges lead to and that are not there.
    var faults: [StructuredFault: Int] {
        var faults = StructuredFault.all(repeated)
        for node in ends.subtracting(nodes) { faults[.unknownNode(node)] = 1 }
        return faults
    }

    private static let listOfNodes = Array("nodes".utf8)
    private static let listOfEdges = Array("edges".utf8)
    private static let id = Array("id".utf8)
    private static let keysOfEnds = [Array("fromNode".utf8), Array("toNode".utf8)]
}
