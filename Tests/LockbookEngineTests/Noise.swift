/// Text that does not compress well and is no text to a merge: it begins with a zero.
///
/// It is ASCII. A string made of what is no UTF-8 repairs it byte by byte, each with an error whose
/// backtrace the tests take: of 9 MB that took 40 seconds.
func noise(_ size: Int, seed: UInt64) -> String {
    var state = seed &* 0x9e37_79b9_7f4a_7c15
    var bytes: [UInt8] = [0]
    bytes.reserveCapacity(size + 8)
    while bytes.count < size {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        withUnsafeBytes(of: state & 0x7f7f_7f7f_7f7f_7f7f) { bytes += $0 }
    }
    return String(decoding: bytes.prefix(max(1, size)), as: UTF8.self)
}
