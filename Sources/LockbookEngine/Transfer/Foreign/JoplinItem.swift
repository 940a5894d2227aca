/// One item of a Joplin export, as its `BaseItem.serialize` writes it.
///
/// A title, an empty line, a body, an empty line, then lines `key: value`.
struct JoplinItem {
    enum Kind: Int {
        case note = 1
        case folder = 2
        case resource = 4
        case tag = 5
        case noteTag = 6
    }

    let title: String
    let fields: [String: String]
    /// Nil for what is of no use here: settings, revisions, keys.
    let kind: Kind?

    /// - Throws: `Malformed`, for what is no item.
    init(_ bytes: [UInt8]) throws {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw Malformed(reason: "it is not UTF-8")
        }
        let (head, properties) = Self.split(text.streamSafe)
        var fields: [String: String] = [:]
        for line in properties {
            guard let colon = line.firstIndex(of: ":") else {
                throw Malformed(reason: "it does not end with properties")
            }
            fields[String(line[..<colon])] = Self.plain(line[line.index(after: colon)...])
        }
        guard let type = fields["type_"].flatMap(Int.init) else {
            throw Malformed(reason: "it has no type_")
        }
        self.fields = fields
        kind = Kind(rawValue: type)
        title = head.first.map(String.init) ?? ""
    }

    struct Malformed: Error {
        let reason: String
    }

    /// What stands between title and properties.
    static func body(of text: String) -> String {
        split(text).head.dropFirst(2).joined(separator: "\n")
    }

    private static func split(_ text: String) -> (head: ArraySlice<Substring>, [Substring]) {
        // By bytes: to Swift, CR and LF are one character.
        var lines = text.utf8.split(separator: 0x0a, omittingEmptySubsequences: false)
            .map { Substring($0) }[...]
        while let last = lines.last, last.isBlank { lines.removeLast() }
        let start = lines.lastIndex(where: \.isBlank).map { $0 + 1 } ?? 0
        return (lines[..<max(0, start - 1)], Array(lines[start...]))
    }

    /// A value without the blanks around it.
    private static func plain(_ value: Substring) -> String {
        var text = value
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }

    /// Nil when it is empty.
    subscript(_ key: String) -> String? {
        fields[key].flatMap { $0.isEmpty ? nil : $0 }
    }

    func isTrue(_ key: String) -> Bool { (self[key] ?? "0") != "0" }
}

extension Substring {
    fileprivate var isBlank: Bool { allSatisfy(\.isWhitespace) }
}
