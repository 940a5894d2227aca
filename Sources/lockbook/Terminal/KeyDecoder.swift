/// A key that somebody pressed.
enum Key: Equatable {
    case character(Unicode.Scalar)
    case enter, escape, erase, eraseAll
    case up, down, pageUp, pageDown, home, end
}

/// Tells what keys the bytes of a terminal in raw mode mean.
///
/// Several may come together, and one may come in two pieces. Sequences are those of ECMA-48
/// (section 5.4), and xterm's for the keys that are not letters; of others nothing comes.
struct KeyDecoder {
    private var bytes: [UInt8] = []

    /// Whether more bytes decide if Escape alone was pressed.
    var awaitsMore: Bool { bytes.first == Self.escape }

    /// The keys that are whole by now.
    mutating func take(_ new: [UInt8]) -> [Key] {
        bytes += new
        var keys: [Key] = []
        while let length = Self.length(of: bytes) {
            if let key = Self.key(Array(bytes.prefix(length))) { keys.append(key) }
            bytes.removeFirst(length)
        }
        return keys
    }

    /// The keys that are left when nothing follows.
    mutating func end() -> [Key] {
        guard awaitsMore else { return [] }
        bytes = []
        return [.escape]
    }

    private static let escape: UInt8 = 0x1b

    /// How many bytes the first key has; nil while it is not whole.
    private static func length(of bytes: [UInt8]) -> Int? {
        guard let first = bytes.first else { return nil }
        guard first == escape else {
            let length = first < 0xc0 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4
            // What is no UTF-8 does not swallow the key behind it.
            let end = bytes.prefix(length).dropFirst().firstIndex { $0 & 0xc0 != 0x80 }
            return end ?? (bytes.count < length ? nil : length)
        }
        guard bytes.count > 1 else { return nil }
        switch bytes[1] {
        // Escape twice, or a sequence behind an Escape.
        case escape: return 1
        case UInt8(ascii: "O"): return bytes.count > 2 ? 3 : nil
        case UInt8(ascii: "["):
            // The console of Linux puts one more bracket in front of a function key's letter.
            let start = bytes.count > 2 && bytes[2] == UInt8(ascii: "[") ? 3 : 2
            return bytes.dropFirst(start).firstIndex { (0x40...0x7e).contains($0) }.map { $0 + 1 }
        default: return 2
        }
    }

    /// - Parameter bytes: those of one key.
    private static func key(_ bytes: [UInt8]) -> Key? {
        guard bytes[0] == escape else { return character(bytes) }
        guard bytes.count > 2, let last = bytes.last else {
            return bytes.count == 1 ? .escape : nil
        }
        let parameters = bytes.dropFirst(2).dropLast()
        switch UnicodeScalar(last) {
        // The letter of a function key on the console of Linux.
        case _ where parameters.contains(UInt8(ascii: "[")): return nil
        case "A": return .up
        case "B": return .down
        case "H": return .home
        case "F": return .end
        case "~":
            switch String(decoding: parameters.prefix { $0 != UInt8(ascii: ";") }, as: UTF8.self) {
            case "1", "7": return .home
            case "4", "8": return .end
            case "5": return .pageUp
            case "6": return .pageDown
            default: return nil
            }
        default: return nil
        }
    }

    private static func character(_ bytes: [UInt8]) -> Key? {
        switch bytes[0] {
        // Ctrl-C, Ctrl-D, Ctrl-G.
        case 0x03, 0x04, 0x07: return .escape
        case UInt8(ascii: "\r"), UInt8(ascii: "\n"): return .enter
        case 0x08, 0x7f: return .erase
        // Ctrl-U, Ctrl-W.
        case 0x15, 0x17: return .eraseAll
        // Ctrl-N, Ctrl-P.
        case 0x0e: return .down
        case 0x10: return .up
        case 0..<0x20: return nil
        default:
            return String(decoding: bytes, as: UTF8.self).unicodeScalars.first.map(Key.character)
        }
    }
}
