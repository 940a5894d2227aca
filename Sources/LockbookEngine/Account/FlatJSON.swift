import LockbookModel

/// One JSON object (RFC 8259) whose values are strings and whole numbers, which is what a key file is.
///
/// Every command reads the key file before anything else, a completion within a key press; the
/// general decoder takes a millisecond to get going. What is more than flat counts as unreadable.
struct FlatJSON {
    private(set) var strings: [String: String] = [:]
    private(set) var numbers: [String: Int64] = [:]

    private let bytes: [UInt8]
    private var at = 0

    /// Reads the object; nil when the bytes are not one, or hold a name twice.
    init?(_ bytes: [UInt8]) {
        self.bytes = bytes
        guard object() else { return nil }
    }

    private mutating func object() -> Bool {
        guard take("{") else { return false }
        if take("}") { return isAtEnd() }
        repeat {
            guard let name = string(), take(":"), strings[name] == nil, numbers[name] == nil else {
                return false
            }
            if let text = string() {
                strings[name] = text
            } else if let number = number() {
                numbers[name] = number
            } else {
                return false
            }
        } while take(",")
        return take("}") && isAtEnd()
    }

    private mutating func isAtEnd() -> Bool {
        skipBlanks()
        return at == bytes.count
    }

    private mutating func skipBlanks() {
        while at < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[at]) { at += 1 }
    }

    private mutating func take(_ sign: Unicode.Scalar) -> Bool {
        skipBlanks()
        guard at < bytes.count, bytes[at] == UInt8(ascii: sign) else { return false }
        at += 1
        return true
    }

    private mutating func number() -> Int64? {
        skipBlanks()
        let start = at
        while at < bytes.count, bytes[at] == 0x2D || (0x30...0x39).contains(bytes[at]) { at += 1 }
        return Int64(String(decoding: bytes[start..<at], as: UTF8.self))
    }

    /// Reads a string; where none begins, nothing is read.
    private mutating func string() -> String? {
        guard take("\"") else { return nil }
        var text: [UInt8] = []
        while at < bytes.count {
            let byte = bytes[at]
            at += 1
            switch byte {
            case UInt8(ascii: "\""): return String(validating: text, as: UTF8.self)
            case UInt8(ascii: "\\"):
                guard let scalar = escaped() else { return nil }
                text.append(contentsOf: String(scalar).utf8)
            case 0..<0x20: return nil
            default: text.append(byte)
            }
        }
        return nil
    }

    private mutating func escaped() -> Unicode.Scalar? {
        guard at < bytes.count else { return nil }
        let sign = bytes[at]
        at += 1
        switch sign {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(sign)
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"):
            guard let unit = codeUnit() else { return nil }
            guard (0xD800..<0xDC00).contains(unit) else { return Unicode.Scalar(unit) }
            // The two halves of a character beyond the first 65,536.
            guard bytes[at...].starts(with: [UInt8(ascii: "\\"), UInt8(ascii: "u")]) else {
                return nil
            }
            at += 2
            guard let low = codeUnit(), (0xDC00..<0xE000).contains(low) else { return nil }
            return Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00))
        default: return nil
        }
    }

    private mutating func codeUnit() -> UInt32? {
        guard bytes.count - at >= 4 else { return nil }
        defer { at += 4 }
        guard let high = [UInt8](hex: String(decoding: bytes[at..<at + 4], as: UTF8.self)) else {
            return nil
        }
        return UInt32(high[0]) << 8 | UInt32(high[1])
    }
}
