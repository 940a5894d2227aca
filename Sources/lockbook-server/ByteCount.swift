import ArgumentParser

/// A number of bytes as a person writes it: digits, and K, M, G or T for powers of 1,024.
struct ByteCount: ExpressibleByArgument {
    let bytes: UInt64

    init?(argument: String) {
        var digits = argument[...]
        var shift: UInt64 = 0
        if let last = digits.last, let unit = "KMGT".firstIndex(of: Character(last.uppercased())) {
            shift = UInt64("KMGT".distance(from: "KMGT".startIndex, to: unit) + 1) * 10
            digits.removeLast()
        }
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let number = UInt64(digits), number > 0, number <= UInt64(Int64.max) >> shift
        else { return nil }
        bytes = number << shift
    }
}
