/// Looks through the tags of an HTML document for ids, whether it is well-formed or not.
struct HTMLScan {
    private let bytes: [UInt8]
    private var at = 0
    private var ids: Set<[UInt8]> = []
    private var repeated: [[UInt8]: Int] = [:]

    /// How often each id comes again.
    static func repeatedIDs(in bytes: [UInt8]) -> [[UInt8]: Int] {
        var scan = HTMLScan(bytes: bytes)
        while let start = bytes[scan.at...].firstIndex(of: 0x3C) {
            scan.at = start + 1
            scan.markup()
        }
        return scan.repeated
    }

    private init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    private mutating func markup() {
        if bytes[at...].starts(with: "!--".utf8) {
            skip { $0.starts(with: "-->".utf8) }
        } else if at < bytes.count, isLetter(bytes[at]) {
            let start = at
            pass { !Self.ending.contains($0) }
            let name = Self.small(bytes[start..<at])
            attributes()
            guard Self.withoutTags.contains(name) else { return }
            skip { rest in
                rest.starts(with: "</".utf8)
                    && Self.small(rest.dropFirst(2).prefix(name.count)) == name
            }
        }
    }

    /// Reads what stands in a tag behind its name, to its end.
    private mutating func attributes() {
        var hasID = false
        while true {
            pass { Self.blanks.contains($0) || $0 == 0x2F }
            guard at < bytes.count else { return }
            if bytes[at] == 0x3E { return }
            let start = at
            at += 1
            pass { !Self.ending.contains($0) && $0 != 0x3D }
            let isID = Self.small(bytes[start..<at]) == Self.id
            pass { Self.blanks.contains($0) }
            guard at < bytes.count, bytes[at] == 0x3D else { continue }
            at += 1
            let value = value()
            if isID, !hasID { note(id: XMLCheck.resolved(value)) }
            hasID = hasID || isID
        }
    }

    private mutating func value() -> ArraySlice<UInt8> {
        pass { Self.blanks.contains($0) }
        guard at < bytes.count else { return [] }
        let quote = bytes[at]
        guard quote == 0x22 || quote == 0x27 else {
            let start = at
            pass { !Self.blanks.contains($0) && $0 != 0x3E }
            return bytes[start..<at]
        }
        let start = at + 1
        at = bytes[start...].firstIndex(of: quote) ?? bytes.count
        let end = at
        at = min(at + 1, bytes.count)
        return bytes[start..<end]
    }

    private mutating func note(id: [UInt8]) {
        if !ids.insert(id).inserted { repeated[id, default: 0] += 1 }
    }

    /// Goes on as long as the bytes are such ones.
    private mutating func pass(_ isPassed: (UInt8) -> Bool) {
        while at < bytes.count, isPassed(bytes[at]) { at += 1 }
    }

    /// Goes on to where such bytes follow, or to the end.
    private mutating func skip(to isEnd: (ArraySlice<UInt8>) -> Bool) {
        while at < bytes.count, !isEnd(bytes[at...]) { at += 1 }
    }

    private func isLetter(_ byte: UInt8) -> Bool {
        (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
    }

    /// A name in small letters, of which HTML knows those of ASCII alone.
    private static func small(_ name: ArraySlice<UInt8>) -> [UInt8] {
        name.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
    }

    private static let blanks = Set(" \t\n\r\u{c}".utf8)
    private static let ending = blanks.union("/>".utf8)
    private static let id = Array("id".utf8)

    /// Elements in which no tag begins but their own end.
    private static let withoutTags = Set(
        ["script", "style", "textarea", "title", "xmp", "iframe", "noembed", "noframes"]
            .map { Array($0.utf8) }
    )
}
