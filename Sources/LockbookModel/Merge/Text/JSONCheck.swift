/// Reads a document as JSON (RFC 8259) to say whether it is, and which keys it repeats.
///
/// With comments, as settings of editors have them, `//` to a line's end and `/* */` count as blanks,
/// and a comma may stand behind the last value.
struct JSONCheck {
    let bytes: [UInt8]
    let allowsComments: Bool
    var at = 0
    /// Objects and lists without an end yet, with the keys of the one, or the ids of the other's elements.
    private var open: [(isObject: Bool, names: Set<[UInt8]>, last: [UInt8])] = []
    private var repeated: [[UInt8]: Int] = [:]
    private var canvas: CanvasCheck?

    /// Deeper documents count as ones that do not parse.
    static let depthLimit = 65_536

    /// How often each key comes again within one object; nothing when this is not JSON.
    ///
    /// An `id` that several elements of one list have is counted as well, once.
    static func repeatedKeys(
        in bytes: [UInt8],
        withComments allowsComments: Bool = false
    ) -> [[UInt8]: Int]? {
        var check = JSONCheck(bytes: bytes, allowsComments: allowsComments)
        return check.document() ? check.repeated : nil
    }

    /// What a canvas has wrong besides, and what comes again in it; nothing when not JSON.
    static func faults(ofCanvas bytes: [UInt8]) -> [StructuredFault: Int]? {
        var check = JSONCheck(bytes: bytes, allowsComments: false, canvas: CanvasCheck())
        guard check.document(), let canvas = check.canvas else { return nil }
        return canvas.faults.merging(StructuredFault.all(check.repeated), uniquingKeysWith: +)
    }

    init(bytes: [UInt8], allowsComments: Bool, canvas: CanvasCheck? = nil) {
        self.bytes = bytes
        self.allowsComments = allowsComments
        self.canvas = canvas
    }

    /// Reads values one after the other; what is open is kept in an array, not on the call stack.
    private mutating func document() -> Bool {
        while true {
            guard let opened = value() else { return false }
            if opened { continue }
            guard let ended = closings() else { return false }
            if ended { return at == bytes.count }
        }
    }

    /// Reads a value, or the start of one that holds others: then the answer is true.
    private mutating func value() -> Bool? {
        skipBlanks()
        guard at < bytes.count else { return nil }
        switch bytes[at] {
        case 0x7B: return start(isObject: true, closing: 0x7D)
        case 0x5B: return start(isObject: false, closing: 0x5D)
        case 0x22:
            guard let text = string() else { return nil }
            if isID { note(id: text) }
            // In an element of a list of the document.
            if open.count == 3 { canvas?.note(text, of: open[2].last, in: open[0].last) }
            return false
        case 0x74: return take("true") ? false : nil
        case 0x66: return take("false") ? false : nil
        case 0x6E: return take("null") ? false : nil
        default:
            let start = at
            guard number() else { return nil }
            if isID { note(id: Array(bytes[start..<at])) }
            return false
        }
    }

    /// Whether the value that is read is the `id` of an element of a list.
    private var isID: Bool {
        guard let element = open.last, element.isObject, element.last == Self.id, open.count > 1
        else { return false }
        return !open[open.count - 2].isObject
    }

    /// Notes an id; it counts once, as what one side has twice is no id.
    private mutating func note(id: [UInt8]) {
        if !open[open.count - 2].names.insert(id).inserted { repeated[id] = repeated[id] ?? 1 }
    }

    private static let id = Array("id".utf8)

    private mutating func start(isObject: Bool, closing: UInt8) -> Bool? {
        guard open.count < Self.depthLimit else { return nil }
        at += 1
        skipBlanks()
        if take(closing) { return false }
        open.append((isObject, [], []))
        if isObject, !key() { return nil }
        return true
    }

    /// Reads what may follow a value; false before the next value, true at the end.
    private mutating func closings() -> Bool? {
        while true {
            skipBlanks()
            guard let inner = open.last else { return true }
            let closing: UInt8 = inner.isObject ? 0x7D : 0x5D
            if take(0x2C), !isLastComma(before: closing) {
                return inner.isObject && !key() ? nil : false
            }
            guard take(closing) else { return nil }
            open.removeLast()
        }
    }

    private mutating func key() -> Bool {
        skipBlanks()
        guard let key = string() else { return false }
        if !open[open.count - 1].names.insert(key).inserted { repeated[key, default: 0] += 1 }
        open[open.count - 1].last = key
        skipBlanks()
        return take(0x3A)
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard at < bytes.count, bytes[at] == byte else { return false }
        at += 1
        return true
    }

    private mutating func take(_ word: StaticString) -> Bool {
        let expected = word.withUTF8Buffer { Array($0) }
        guard bytes[at...].starts(with: expected) else { return false }
        at += expected.count
        return true
    }

    private mutating func number() -> Bool {
        _ = take(0x2D)
        if !take(0x30), !digits() { return false }
        if take(0x2E), !digits() { return false }
        if take(0x65) || take(0x45) {
            if !take(0x2B) { _ = take(0x2D) }
            return digits()
        }
        return true
    }

    private mutating func digits() -> Bool {
        let start = at
        while at < bytes.count, (0x30...0x39).contains(bytes[at]) { at += 1 }
        return at > start
    }

    mutating func string() -> [UInt8]? {
        var reader = JSONString(bytes: bytes, at: at)
        guard let text = reader.read() else { return nil }
        at = reader.at
        return text
    }
}
