/// Text that does not compress well and is no text to a merge: it begins with a zero.
func noise(_ size: Int, seed: UInt64) -> String {
    var state = seed &* 0x9e37_79b9_7f4a_7c15
    var bytes: [UInt8] = [0]
    while bytes.count < size {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        bytes.append(UInt8(truncatingIfNeeded: state) & 0x7f)
    }
    return String(decoding: bytes, as: UTF8.self)
}
