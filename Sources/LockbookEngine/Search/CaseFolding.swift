/// Makes letters equal that differ in case alone, without moving a byte.
///
/// A letter whose other case takes another number of bytes stays as it is, and so does what stands
/// behind U+2FFF; nearly all letters that people write are neither. Positions in what was folded
/// are positions in the text.
struct CaseFolding: Sendable {
    private static let first = 0x80
    private static let end = 0x3000

    /// The folded form of each scalar from U+0080; nil when only ASCII has to be folded.
    private let table: [UInt16]?

    /// What folding a text needs so that this can be found in it.
    init(for needle: [UInt8]) {
        let isPlain = needle.allSatisfy { $0 < 0x80 }
        table = isPlain ? nil : (Self.first..<Self.end).map(Self.folded)
    }

    func fold(_ text: [UInt8]) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: text.count) { folded, count in
            text.withUnsafeBufferPointer { text in
                for index in text.indices {
                    let byte = text[index]
                    let isCapital = byte &- UInt8(ascii: "A") < 26
                    folded[index] = isCapital ? byte | 0x20 : byte
                }
                if let table { Self.foldBeyondASCII(text, into: folded, table) }
            }
            count = text.count
        }
    }

    private static func foldBeyondASCII(
        _ text: UnsafeBufferPointer<UInt8>,
        into folded: UnsafeMutableBufferPointer<UInt8>,
        _ table: [UInt16]
    ) {
        func continuation(_ index: Int) -> Int? {
            index < text.count && text[index] & 0xc0 == 0x80 ? Int(text[index] & 0x3f) : nil
        }
        var index = 0
        while index < text.count {
            let byte = text[index]
            if byte & 0xe0 == 0xc0, byte > 0xc1, let second = continuation(index + 1) {
                let scalar = Int(table[(Int(byte & 0x1f) << 6 | second) - first])
                folded[index] = UInt8(0xc0 | scalar >> 6)
                folded[index + 1] = UInt8(0x80 | scalar & 0x3f)
                index += 2
            } else if byte & 0xf0 == 0xe0, let second = continuation(index + 1),
                let third = continuation(index + 2)
            {
                let scalar = Int(byte & 0x0f) << 12 | second << 6 | third
                if (0x800..<end).contains(scalar) {
                    let scalar = Int(table[scalar - first])
                    folded[index] = UInt8(0xe0 | scalar >> 12)
                    folded[index + 1] = UInt8(0x80 | scalar >> 6 & 0x3f)
                    folded[index + 2] = UInt8(0x80 | scalar & 0x3f)
                }
                index += 3
            } else {
                index += 1
            }
        }
    }

    /// By way of the capital, so that both small sigmas are one.
    private static func folded(_ value: Int) -> UInt16 {
        guard let scalar = Unicode.Scalar(UInt16(value)) else { return UInt16(value) }
        let capital = only(scalar.properties.uppercaseMapping) ?? scalar
        let small = only(capital.properties.lowercaseMapping) ?? capital
        let fits = UTF8.width(small) == UTF8.width(scalar)
        return UInt16(fits ? small.value : scalar.value)
    }

    private static func only(_ text: String) -> Unicode.Scalar? {
        text.unicodeScalars.count == 1 ? text.unicodeScalars.first : nil
    }
}
