/// Reads one string of a JSON document with its escapes undone, so that equal keys are equal.
struct JSONString {
    let bytes: [UInt8]
    private(set) var at: Int
    private var text: [UInt8] = []

    init(bytes: [UInt8], at: Int) {
        self.bytes = bytes
        self.at = at
    }

    mutating func read() -> [UInt8]? {
        guard next() == 0x22 else { return nil }
        while let byte = next() {
            switch byte {
            case 0x22: return text
            case 0x5C: if !escape() { return nil }
            case ..<0x20: return nil
            default: text.append(byte)
            }
        }
        return nil
    }

    private mutating func next() -> UInt8? {
        guard at < bytes.count else { return nil }
        at += 1
        return bytes[at - 1]
    }

    private mutating func escape() -> Bool {
        guard let byte = next() else { return false }
        switch byte {
        case 0x22, 0x5C, 0x2F: text.append(byte)
        case 0x62: text.append(0x08)
        case 0x66: text.append(0x0C)
        case 0x6E: text.append(0x0A)
        case 0x72: text.append(0x0D)
        case 0x74: text.append(0x09)
        case 0x75:
            guard let unit = unit() else { return false }
            append(unit)
        default: return false
        }
        return true
    }

    private mutating func unit() -> UInt32? {
        var unit: UInt32 = 0
        for _ in 0..<4 {
            guard let byte = next(), let digit = Character(UnicodeScalar(byte)).hexDigitValue
            else { return nil }
            unit = unit << 4 | UInt32(digit)
        }
        return unit
    }

    /// Adds a code unit; a half of a pair that stands alone is allowed by the RFC and kept apart.
    private mutating func append(_ unit: UInt32) {
        var scalar = unit
        if (0xD800..<0xDC00).contains(unit), bytes[at...].starts(with: [0x5C, 0x75]) {
            let before = at
            at += 2
            if let low = self.unit(), (0xDC00..<0xE000).contains(low) {
                scalar = 0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00)
            } else {
                at = before
            }
        }
        if let valid = UnicodeScalar(scalar) {
            text += UTF8.encode(valid).map(Array.init) ?? []
        } else {
            // No UTF-8 text holds 0xFF, so this equals no other key.
            text += [0xFF, UInt8(unit >> 8), UInt8(unit & 0xFF)]
        }
    }
}
