/// Reads a document as XML to say whether it is well-formed, and which faults it has.
///
/// Of a document type only the names of its entities are looked at: nothing is ever expanded.
struct XMLCheck {
    let bytes: [UInt8]
    var at = 0
    private var repeated: [[UInt8]: Int] = [:]
    private var ids: Set<[UInt8]> = []
    private var open: [(tag: Range<Int>, declared: [ArraySlice<UInt8>])] = []
    private var hasRoot = false
    private var hasType = false

    /// How often each prefix is declared by the elements that are open.
    var prefixes: [ArraySlice<UInt8>: Int] = [
        Array("xml".utf8)[...]: 1, Array("xmlns".utf8)[...]: 1,
    ]
    /// The entities that every document knows, and those that its document type declares.
    var entities = Set(["amp", "lt", "gt", "quot", "apos"].map { Array($0.utf8)[...] })
    var undeclared: Set<StructuredFault> = []

    /// Deeper documents count as ones that do not parse.
    static let depthLimit = 65_536

    /// How often each id comes again, and what is used and not declared, which counts once.
    ///
    /// - Returns: nil when the document is not well-formed.
    static func faults(in bytes: [UInt8]) -> [StructuredFault: Int]? {
        var check = XMLCheck(bytes: bytes)
        guard check.document() else { return nil }
        var faults = StructuredFault.all(check.repeated)
        for fault in check.undeclared { faults[fault] = 1 }
        return faults
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
        guard let name = name(), let opened = open.popLast(), bytes[name] == bytes[opened.tag]
        else { return false }
        forget(opened.declared)
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
            if take("/>") {
                let declared = declare(by: bytes[tag], with: attributes)
                forget(declared)
                return true
            }
            if take(">") {
                let declared = declare(by: bytes[tag], with: attributes)
                open.append((tag, declared))
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
