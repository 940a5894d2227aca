/// RFC 4648 base32 in lower case, without padding: no 0, 1 or 8 to mistake for letters.
package enum Base32 {
    private static let alphabet = Array("abcdefghijklmnopqrstuvwxyz234567".utf8)

    package static func encode(_ bytes: [UInt8]) -> String {
        var letters: [UInt8] = []
        var bits: UInt32 = 0
        var count = 0
        for byte in bytes {
            bits = bits << 8 | UInt32(byte)
            count += 8
            while count >= 5 {
                count -= 5
                letters.append(alphabet[Int(bits >> UInt32(count) & 31)])
            }
        }
        if count > 0 { letters.append(alphabet[Int(bits << UInt32(5 - count) & 31)]) }
        return String(decoding: letters, as: UTF8.self)
    }

    /// - Returns: nil for other letters, for one more than the bytes take, and when what is left over of
    ///   the last one is not zero: it could be mistyped unnoticed.
    package static func decode(_ letters: some Sequence<UInt8>) -> [UInt8]? {
        var bytes: [UInt8] = []
        var bits: UInt32 = 0
        var count = 0
        for letter in letters {
            guard let value = alphabet.firstIndex(of: letter) else { return nil }
            bits = bits << 5 | UInt32(value)
            count += 5
            if count >= 8 {
                count -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
            }
        }
        guard count < 5, bits & (1 << UInt32(count) - 1) == 0 else { return nil }
        return bytes
    }
}
