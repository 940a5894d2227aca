/// A number of bytes as a person writes it: digits, and K, M, G or T for powers of 1,024.
///
/// `GiB` is the same as `G`, and `GB` is none, since it is not said by which power.
struct ByteCount {
    let bytes: UInt64

    private static let units = ["K", "M", "G", "T"]

    init?(argument: String) {
        let isLong = argument.hasSuffix("iB")
        var digits = isLong ? argument.dropLast(2) : argument[...]
        var shift: UInt64 = 0
        // As texts: the capital of one letter may be two.
        if let last = digits.last?.uppercased(), let unit = Self.units.firstIndex(of: last) {
            shift = UInt64(unit + 1) * 10
            digits.removeLast()
        }
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            shift > 0 || !isLong, let number = UInt64(digits), number > 0,
            number <= UInt64(Int64.max) >> shift
        else { return nil }
        bytes = number << shift
    }
}
