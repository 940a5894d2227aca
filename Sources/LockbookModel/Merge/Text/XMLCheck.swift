/// Reads a document as XML to say whether it is well-formed, and which ids it repeats.
///
/// Entities are not looked up and a document type is passed over: nothing is ever expanded.
struct XMLCheck {
    let bytes: [UInt8]
    var at = 0
    var repeated: [[UInt8]: Int] = [:]
    private var ids: Set<[UInt8]> = []
    private var open: [Range<Int>] = []
    private var hasRoot = false
    private var hasType = false

    /// Deeper documents count as ones that do not parse.
    static let depthLimit = 65_536

    /// How often each id comes again; nothing when the document is not well-formed.
    static func repeatedIDs(in bytes: [UInt8]) -> [[UInt8]: Int]? {
        var check = XMLCheck(bytes: bytes)
        return check.document() ? check.repeated : nil
    }

    private init(bytes: [UInt8]) {
        self.bytes = bytes
        at = bytes.withoutByteOrderMark.startIndex
    }

    private mutating func document() -> Bool {
        while at < bytes.count {
            guard bytes[at] == 0x3C ? markup() : text() else { return false }
        }
        return hasRoot && open.isEmpty
    }

    private mutating func markup() -> Bool {
        if take("<!--") { return skip(past: "--") && take(">") }
        if take("<?") { return name() != nil && skip(past: "?>") }
        if take("<![CDATA[") { return !open.isEmpty && skip(past: "]]>") }
        if take("<!DOCTYPE") {
            guard !hasType, !hasRoot else { return false }
            hasType = true
            return skipType()
        }
        return take("</") ? endTag() : startTag()
    }

    /// Text between tags, which outside the root can only be blanks.
    private mutating func text() -> Bool {
        if bytes[at] == 0x26 { return !open.isEmpty && reference() }
        if open.isEmpty, bytes[at] > 0x20 { return false }
        if take("]]>") { return false }
        at += 1
        return true
    }

    private mutating func endTag() -> Bool {
        guard let name = name(), let opened = open.popLast(), bytes[name] == bytes[opened]
        else { return false }
        skipBlanks()
        return take(">")
    }

    private mutating func startTag() -> Bool {
        at += 1
        guard !open.isEmpty || !hasRoot, open.count < Self.depthLimit, let tag = name()
        else { return false }
        hasRoot = true
        var attributes: Set<ArraySlice<UInt8>> = []
        while true {
            let end = at
            skipBlanks()
            if take("/>") { return true }
            if take(">") {
                open.append(tag)
                return true
            }
            guard at > end, let name = name(), attributes.insert(bytes[name]).inserted,
                let value = attributeValue()
            else { return false }
            if bytes[name].elementsEqual("id".utf8) || bytes[name].elementsEqual("xml:id".utf8) {
                note(id: Self.resolved(bytes[value]))
            }
        }
    }

    private mutating func note(id: [UInt8]) {
        if !ids.insert(id).inserted { repeated[id, default: 0] += 1 }
    }
}
