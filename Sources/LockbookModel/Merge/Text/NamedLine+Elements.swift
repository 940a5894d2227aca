extension NamedLine {
    /// What an element in one line is called by: an attribute, or the first text in it.
    ///
    /// One with an `id` is known by that (`TextRecords`).
    init?(element line: ArraySlice<UInt8>) {
        guard line.first == 0x3C, line.last == 0x3E, line.dropFirst().first != 0x21 else {
            return nil
        }
        let tag = line.prefix { $0 != 0x3E }
        if let (name, rank) = tag.namingAttribute {
            if rank == 0 { return nil }
            self.init(name: [name], said: line.indices)
            return
        }
        var texts: [Range<Int>] = []
        var rest = line
        while texts.count < 2, let end = rest.firstIndex(of: 0x3E) {
            rest = rest[(end + 1)...]
            let text = rest.prefix { $0 != 0x3C }
            if text.contains(where: TextPieces.isOfWord), !texts.isEmpty || text.hasLetter {
                texts.append(text.withoutIndentation.withoutTrail.indices)
            }
        }
        guard texts.count > 1 else { return nil }
        let isRow = ["tr", "td", "th"].contains { line.dropFirst().starts(with: $0.utf8) }
        self.init(name: [texts[0]], said: line.indices, isProse: !isRow)
    }
}

extension ArraySlice<UInt8> {
    /// The value of the attribute that says best what an element is called; 0 is an id.
    fileprivate var namingAttribute: (value: Range<Int>, rank: Int)? {
        var best: (value: Range<Int>, rank: Int)?
        var rest = self
        while let blank = rest.firstIndex(where: { $0 <= 0x20 }) {
            rest = rest[(blank + 1)...]
            let key = rest.prefix { $0 != 0x3D && $0 > 0x20 }
            let value = rest[key.endIndex...].dropFirst()
            guard let quote = value.first, quote == 0x22 || quote == 0x27 else { continue }
            let text = value.dropFirst().prefix { $0 != quote }
            rest = rest[text.endIndex...]
            if let rank = NamedLine.rank(ofKey: key), rank < best?.rank ?? .max {
                best = (text.indices, rank)
            }
        }
        return best
    }
}
