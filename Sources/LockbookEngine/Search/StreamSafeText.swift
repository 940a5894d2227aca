extension String {
    /// The text without what stands behind the first 30 combining marks of a run.
    ///
    /// Unicode's Stream-Safe Text Format (UAX #15, section 13) has the same bound: no language writes
    /// as many. To compare strings is to put the marks of each run in order, in the square of the
    /// time that it takes to read them, so that one note could keep its reader for hours.
    var streamSafe: String {
        // No mark is below U+0300.
        guard utf8.contains(where: { $0 >= 0xcc }) else { return self }
        var length = 0
        func isKept(_ scalar: Unicode.Scalar) -> Bool {
            length = scalar.isCombiningMark ? length + 1 : 0
            return length <= Self.longestRun
        }
        guard !unicodeScalars.allSatisfy(isKept) else { return self }
        length = 0
        return String(String.UnicodeScalarView(unicodeScalars.filter(isKept)))
    }

    private static var longestRun: Int { 30 }
}

extension Unicode.Scalar {
    /// Every scalar that a normal form moves is one, also what only becomes several of those.
    var isCombiningMark: Bool {
        guard value >= 0x300 else { return false }
        switch properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark: return true
        default: return false
        }
    }
}
