extension [MergeRegion] {
    /// Joins changes of the two sides that are parts of one value: a number, and what stands beside it.
    ///
    /// "27 Nov" that one side makes "28 Nov" and the other one "27 Dec" would be "28 Dec", which nobody
    /// wrote.
    func joiningValues(
        of base: TextPieces,
        _ local: TextPieces,
        _ remote: TextPieces,
        in bytes: [UInt8]
    ) -> [MergeRegion] {
        var joined: [MergeRegion] = []
        for region in self {
            guard let last = joined.last, last.isOpposed(to: region, base, local, remote),
                base.isOneValue(last.base, region.base, in: bytes)
            else {
                joined.append(region)
                continue
            }
            joined[joined.count - 1] = MergeRegion(
                base: last.base.lowerBound..<region.base.upperBound,
                local: last.local.lowerBound..<region.local.upperBound,
                remote: last.remote.lowerBound..<region.remote.upperBound,
                taking: .both
            )
        }
        return joined
    }
}

extension MergeRegion {
    /// Whether each side replaced one of the two, and left the other one as it was.
    fileprivate func isOpposed(
        to next: MergeRegion,
        _ base: TextPieces,
        _ local: TextPieces,
        _ remote: TextPieces
    ) -> Bool {
        func isReplaced(_ region: MergeRegion, by side: Taking) -> Bool {
            let old = base.ids[region.base]
            return !old.isEmpty && region.taking == side
                && (side == .local
                    ? !region.local.isEmpty && remote.ids[region.remote] == old
                    : !region.remote.isEmpty && local.ids[region.local] == old)
        }
        return isReplaced(self, by: .local) && isReplaced(next, by: .remote)
            || isReplaced(self, by: .remote) && isReplaced(next, by: .local)
    }
}

extension TextPieces {
    /// Whether two runs are parts of one value: nothing that parts words stands between them, and there is
    /// a digit somewhere ("aB3$x9", "/path?id=2"); or what does holds numbers together.
    fileprivate func isOneValue(_ one: Range<Int>, _ other: Range<Int>, in bytes: [UInt8]) -> Bool {
        let between = one.upperBound..<max(one.upperBound, other.lowerBound)
        guard !between.isEmpty else { return false }
        let isClosed = between.allSatisfy { piece in
            !isIdeograph(piece, in: bytes) && !Self.parting.contains(bytes[starts[piece]])
        }
        if isClosed {
            let digits: ClosedRange<UInt8> = 0x30...0x39
            let value = bytes[starts[one.lowerBound]..<starts[other.upperBound]]
            return value.contains(where: digits.contains)
        }
        return isHeldByNumbers(between, one, other, in: bytes)
    }

    /// Whether what stands between two runs holds them together because of a number.
    ///
    /// A blank where one of its neighbours is one ("27 Nov", "St. 14"), more of them with blanks around
    /// ("1 250 000"), signs or an ideograph between two ("(030) 12", "4 : 3", "11月27"). A tab parts the
    /// fields of a table.
    private func isHeldByNumbers(
        _ between: Range<Int>,
        _ one: Range<Int>,
        _ other: Range<Int>,
        in bytes: [UInt8]
    ) -> Bool {
        let range = starts[between.lowerBound]..<starts[between.upperBound]
        if bytes[range].contains(0x09) { return false }
        func isNumber(_ piece: Int) -> Bool { (0x30...0x39).contains(bytes[starts[piece]]) }
        func isBlank(_ piece: Int) -> Bool { bytes[starts[piece]] == 0x20 }
        func isSign(_ piece: Int) -> Bool { "():".utf8.contains(bytes[starts[piece]]) }
        let (isAfterNumber, isBeforeNumber) = (
            isNumber(one.upperBound - 1), isNumber(other.lowerBound)
        )
        if isAfterNumber, isBeforeNumber {
            if between.count == 1, isIdeograph(one.upperBound, in: bytes) { return true }
            return between.allSatisfy { isBlank($0) || isNumber($0) || isSign($0) }
        }
        guard isAfterNumber || isBeforeNumber else { return false }
        var blanks = between
        if isBeforeNumber, bytes[starts[blanks.lowerBound]] == UInt8(ascii: ".") {
            blanks.removeFirst()
        }
        return !blanks.count.isMultiple(of: 2)
            && blanks.allSatisfy { piece in
                (piece - blanks.lowerBound).isMultiple(of: 2) ? isBlank(piece) : isNumber(piece)
            }
    }

    /// Blanks, ends of lines, and what stands between things that are each for itself: the fields of a
    /// table, an attribute and the next, a link's text and where it leads.
    private static let parting = Set(" \t\r\n,;|[]<>\"`".utf8)

    private func isIdeograph(_ piece: Int, in bytes: [UInt8]) -> Bool {
        (0xE3...0xE9).contains(bytes[starts[piece]])
    }
}
