/// The checksum of ISO 3309 that ZIP archives carry.
struct CRC32: Sendable {
    private static let table: [UInt32] = (0..<256).map { byte in
        (0..<8).reduce(UInt32(byte)) { value, _ in
            value & 1 == 1 ? value >> 1 ^ 0xedb8_8320 : value >> 1
        }
    }

    private var state: UInt32 = 0xffff_ffff

    var value: UInt32 { state ^ 0xffff_ffff }

    mutating func update(_ bytes: [UInt8]) {
        var state = state
        Self.table.withUnsafeBufferPointer { table in
            for byte in bytes {
                state = state >> 8 ^ table[Int(UInt8(truncatingIfNeeded: state) ^ byte)]
            }
        }
        self.state = state
    }
}
