/// The characters between brackets in a line of an ignore file, read as `wildmatch.c` of git does.
struct IgnoreSet: Sendable {
    private var ranges: [ClosedRange<UInt32>] = []
    private let isTurned: Bool

    /// Of ASCII alone; blanks are those that git takes for such.
    private static let classes: [String: [ClosedRange<UInt32>]] = [
        "alnum": [48...57, 65...90, 97...122],
        "alpha": [65...90, 97...122],
        "blank": [9...9, 32...32],
        "cntrl": [0...31, 127...127],
        "digit": [48...57],
        "graph": [33...126],
        "lower": [97...122],
        "print": [32...126],
        "punct": [33...47, 58...64, 91...96, 123...126],
        "space": [9...10, 13...13, 32...32],
        "upper": [65...90],
        "xdigit": [48...57, 65...70, 97...102],
    ]

    /// Reads what follows an opening bracket, and the one that closes it.
    ///
    /// - Returns: nil when none closes it, or for a class that there is not.
    init?(_ rest: inout ArraySlice<Unicode.Scalar>) {
        isTurned = rest.first == "!" || rest.first == "^"
        if isTurned { rest.removeFirst() }
        // Where a range may begin: not with the end of another one.
        var low: UInt32?
        var close = rest.startIndex - 1
        var isFirst = true
        while let scalar = rest.popFirst() {
            if scalar == "]", !isFirst { return }
            isFirst = false
            if scalar == "-", let from = low, let next = rest.first, next != "]" {
                guard let to = Self.character(&rest) else { return nil }
                if from <= to { ranges.append(from...to) }
                low = nil
                continue
            }
            if scalar == "[", rest.first == ":" {
                if close < rest.startIndex { close = rest.firstIndex(of: "]") ?? rest.endIndex }
                let name = rest[..<close].dropFirst()
                if name.last == ":" {
                    guard let found = Self.named(name.dropLast()) else { return nil }
                    ranges += found
                    rest = rest[close...].dropFirst()
                    low = nil
                    continue
                }
            }
            guard let own = scalar == "\\" ? rest.popFirst() : scalar else { return nil }
            ranges.append(own.value...own.value)
            low = own.value
        }
        return nil
    }

    func contains(_ scalar: Unicode.Scalar) -> Bool {
        ranges.contains { $0.contains(scalar.value) } != isTurned
    }

    private static func named(_ name: ArraySlice<Unicode.Scalar>) -> [ClosedRange<UInt32>]? {
        classes.first { name.elementsEqual($0.key.unicodeScalars) }?.value
    }

    /// The next one, or what a backslash takes the meaning from.
    private static func character(_ rest: inout ArraySlice<Unicode.Scalar>) -> UInt32? {
        guard let scalar = rest.popFirst() else { return nil }
        return scalar == "\\" ? rest.popFirst()?.value : scalar.value
    }
}
