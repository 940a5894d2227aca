/// A drawn tree of names and values, each of which no other node has, written as JSON or as SVG.
struct DrawnTree {
    private struct Node {
        var name: String
        var value: String
        var children: [Int]?
    }

    enum Format: Int, CaseIterable, Sendable {
        case json
        case svg
    }

    private var nodes: [Node] = []
    private let format: Format
    /// Whether children stand on lines of their own.
    private let isIndented: Bool

    init(_ format: Format, size: Int, using random: inout Seeded) {
        self.format = format
        isIndented = Int.random(in: 0..<4, using: &random) > 0
        nodes = [Node(name: "b0", value: "b1", children: [])]
        for _ in 1..<max(2, size) { add("b", using: &random) }
    }

    /// Adds, removes, renames or gives another value to a node, with words that start with `side`.
    mutating func edit(_ side: String, using random: inout Seeded) {
        let living = reached(from: 0)
        guard let node = living.dropFirst().randomElement(using: &random) else {
            return add(side, using: &random)
        }
        switch Int.random(in: 0..<6, using: &random) {
        case 0: add(side, using: &random)
        case 1: remove(node)
        case 2: nodes[node].name = fresh(side)
        default: nodes[node].value = fresh(side)
        }
    }

    func text() -> String {
        var out = format == .json ? "{" : "<svg xmlns=\"http://www.w3.org/2000/svg\">"
        write(childrenOf: 0, depth: 1, to: &out)
        return out + (format == .json ? "}" : "</svg>") + "\n"
    }

    private mutating func add(_ side: String, using random: inout Seeded) {
        let inner = reached(from: 0).filter { nodes[$0].children != nil }
        guard let parent = inner.randomElement(using: &random) else { return }
        let isInner = Int.random(in: 0..<4, using: &random) == 0
        let node = nodes.count
        nodes.append(Node(name: fresh(side), value: "", children: isInner ? [] : nil))
        nodes[node].value = fresh(side)
        let count = nodes[parent].children?.count ?? 0
        nodes[parent].children?.insert(node, at: Int.random(in: 0...count, using: &random))
    }

    private mutating func remove(_ node: Int) {
        for parent in nodes.indices { nodes[parent].children?.removeAll { $0 == node } }
    }

    private var drawn = 1

    private mutating func fresh(_ side: String) -> String {
        drawn += 1
        return "\(side)\(drawn)"
    }

    private func reached(from node: Int) -> [Int] {
        [node] + (nodes[node].children ?? []).flatMap { reached(from: $0) }
    }

    private func write(childrenOf parent: Int, depth: Int, to out: inout String) {
        let children = nodes[parent].children ?? []
        for (number, child) in children.enumerated() {
            if format == .json, number > 0 { out += "," }
            newLine(depth, &out)
            write(nodes[child], child, depth: depth, to: &out)
        }
        if !children.isEmpty { newLine(depth - 1, &out) }
    }

    private func write(_ node: Node, _ index: Int, depth: Int, to out: inout String) {
        switch (format, node.children) {
        case (.json, nil): out += "\"\(node.name)\": \"\(node.value)\""
        case (.json, _):
            out += "\"\(node.name)\": {"
            write(childrenOf: index, depth: depth + 1, to: &out)
            out += "}"
        case (.svg, nil): out += "<path id=\"\(node.name)\" d=\"\(node.value)\"/>"
        case (.svg, _):
            out += "<g id=\"\(node.name)\" class=\"\(node.value)\">"
            write(childrenOf: index, depth: depth + 1, to: &out)
            out += "</g>"
        }
    }

    private func newLine(_ depth: Int, _ out: inout String) {
        if isIndented { out += "\n" + String(repeating: "  ", count: depth) }
    }
}
