extension TextMerge {
    /// Whether the bytes are text: valid UTF-8 without NUL, and with few odd control characters.
    ///
    /// Tab, line feed, form feed and carriage return are the control characters of text. Others come
    /// from terminals, as colours and bells do, or letters that a manual strikes over themselves: a
    /// third of such bytes are control characters. What has more of them was not meant to be read.
    package static func isText(_ bytes: [UInt8]) -> Bool {
        var (at, oddCount) = (0, 0)
        while at < bytes.count {
            let byte = bytes[at]
            if byte < 0x80 {
                guard byte != 0 else { return false }
                if byte == 0x7F || byte < 0x20 && !isTextControl(byte) { oddCount += 1 }
                at += 1
            } else {
                let length = scalarLength(in: bytes, at: at)
                guard length > 0 else { return false }
                at += length
            }
        }
        return oddCount <= bytes.count / 3
    }

    private static func isTextControl(_ byte: UInt8) -> Bool {
        byte == 0x09 || byte == 0x0A || byte == 0x0C || byte == 0x0D
    }

    /// Length of the well-formed multi-byte sequence at `at`, or 0 (Unicode 16, table 3-7).
    private static func scalarLength(in bytes: [UInt8], at: Int) -> Int {
        let length: Int
        var second: ClosedRange<UInt8> = 0x80...0xBF
        switch bytes[at] {
        case 0xC2...0xDF: length = 2
        case 0xE0: (length, second) = (3, 0xA0...0xBF)
        case 0xED: (length, second) = (3, 0x80...0x9F)
        case 0xE1...0xEF: length = 3
        case 0xF0: (length, second) = (4, 0x90...0xBF)
        case 0xF1...0xF3: length = 4
        case 0xF4: (length, second) = (4, 0x80...0x8F)
        default: return 0
        }
        guard at + length <= bytes.count, second.contains(bytes[at + 1]) else { return 0 }
        for offset in 2..<length where bytes[at + offset] & 0xC0 != 0x80 { return 0 }
        return length
    }
}
