/// The objects, lists and members of a document of JSON, each behind the one that it is in.
struct JSONTree {
    struct Node {
        fileprivate enum Kind {
            case value
            case object
            case list
        }

        /// The object or list that it is in; nil of the document.
        let parent: Int?
        fileprivate let kind: Kind
        /// The key before it; empty of an element of a list.
        fileprivate let key: Range<Int>
        fileprivate var text: Range<Int>
        /// What tells it from the other elements of a list.
        fileprivate var id: Range<Int>?
        /// How good that is; of the one that comes first in `ids` it is 0.
        fileprivate var rank = JSONTree.ids.count
        /// Whether a list has an element that it can be told by.
        fileprivate var hasIDs = false
    }

    /// Values that are elements of a list themselves are none of them.
    private(set) var nodes: [Node] = []
    private let bytes: [UInt8]
    private var open: [Int] = []
    private var key: Range<Int>?

    /// What members are called that tell an element of a list from the others.
    fileprivate static let ids = ["id", "_id", "uid", "uuid", "guid", "key"].map { Array($0.utf8) }

    /// Whether a key tells a record from others.
    static func isID(_ key: some Collection<UInt8>) -> Bool { ids.contains(lower(key)) }

    /// - Parameter isLines: whether each line is a value; those that are none are passed over.
    /// - Returns: nil where it is no JSON, also not with comments.
    init?(_ text: [UInt8], isLines: Bool) {
        var compact = JSONCompact()
        if isLines {
            compact.addLines(of: text)
        } else {
            guard JSONCheck.repeatedKeys(in: text, withComments: true) != nil else { return nil }
            compact.add(text)
        }
        bytes = compact.bytes
        read()
    }

    /// What a node is called in the one that it is in; nil of an element that nothing tells.
    func name(of node: Node) -> ArraySlice<UInt8>? {
        node.key.isEmpty ? node.id.map { bytes[$0] } : bytes[node.key]
    }

    /// What it says: of objects, and of lists whose elements have names, only that it is one.
    func value(of node: Node) -> ArraySlice<UInt8> {
        let isOpen = node.kind == .object || node.hasIDs || node.text.count == 2
        return bytes[node.kind != .value && isOpen ? node.text.prefix(1) : node.text]
    }

    private mutating func read() {
        var at = 0
        while at < bytes.count {
            switch bytes[at] {
            case 0x7B, 0x5B:
                add(at..<at + 1, bytes[at] == 0x7B ? .object : .list)
                open.append(nodes.count - 1)
                at += 1
            case 0x7D, 0x5D:
                close(at + 1)
                at += 1
            case 0x2C, 0x3A: at += 1
            default:
                let end = end(from: at)
                addValue(at..<end)
                at = end
            }
        }
    }

    /// Where a text, a number or a word ends.
    private func end(from start: Int) -> Int {
        var at = start + 1
        if bytes[start] == 0x22 {
            while at < bytes.count, bytes[at] != 0x22 { at += bytes[at] == 0x5C ? 2 : 1 }
            return min(at + 1, bytes.count)
        }
        while at < bytes.count, ![0x2C, 0x5D, 0x7D].contains(bytes[at]) { at += 1 }
        return at
    }

    private mutating func addValue(_ text: Range<Int>) {
        guard let outer = open.last, nodes[outer].kind == .object else { return }
        guard let name = key else {
            key = text
            return
        }
        add(text, .value)
        guard let list = nodes[outer].parent, nodes[list].kind == .list,
            text.count > 2 || bytes[text.lowerBound] != 0x22,
            let rank = Self.ids.firstIndex(of: Self.lower(bytes[name].dropFirst().dropLast())),
            rank < nodes[outer].rank
        else { return }
        (nodes[outer].id, nodes[outer].rank) = (text, rank)
        nodes[list].hasIDs = true
    }

    private mutating func add(_ text: Range<Int>, _ kind: Node.Kind) {
        nodes.append(Node(parent: open.last, kind: kind, key: key ?? 0..<0, text: text))
        key = nil
    }

    private mutating func close(_ end: Int) {
        guard let node = open.popLast() else { return }
        nodes[node].text = nodes[node].text.lowerBound..<end
    }

    private static func lower(_ name: some Collection<UInt8>) -> [UInt8] {
        name.map { (0x41...0x5A).contains($0) ? $0 + 0x20 : $0 }
    }
}

/// JSON without what says nothing: blanks, comments, the last comma, needless escapes.
private struct JSONCompact {
    private(set) var bytes: [UInt8] = []

    mutating func addLines(of text: [UInt8]) {
        bytes.append(0x5B)
        for line in text.split(separator: 0x0A)
        where JSONCheck.repeatedKeys(in: Array(line)) != nil {
            if bytes.count > 1 { bytes.append(0x2C) }
            add(Array(line))
        }
        bytes.append(0x5D)
    }

    mutating func add(_ text: [UInt8]) {
        var check = JSONCheck(bytes: text, allowsComments: true)
        while true {
            check.skipBlanks()
            guard check.at < text.count else { return }
            switch text[check.at] {
            case 0x22:
                let start = check.at
                guard let string = check.string() else { return }
                add(string, writtenAs: text[start..<check.at])
            case 0x5D, 0x7D:
                if bytes.last == 0x2C { bytes.removeLast() }
                fallthrough
            default:
                bytes.append(text[check.at])
                check.at += 1
            }
        }
    }

    private mutating func add(_ string: [UInt8], writtenAs text: ArraySlice<UInt8>) {
        guard text.contains(0x5C) else {
            bytes += text
            return
        }
        bytes.append(0x22)
        for byte in string {
            if byte == 0x22 || byte == 0x5C { bytes.append(0x5C) }
            bytes.append(byte)
        }
        bytes.append(0x22)
    }
}
