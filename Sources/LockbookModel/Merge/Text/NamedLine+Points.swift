extension NamedLine {
    /// What a point of a list, or a task of todo.txt, is called by: its words without what marks it.
    ///
    /// Of a point without a box, tags and dates it is what stands in it before a colon, or between
    /// the first marks.
    init?(point line: ArraySlice<UInt8>) {
        let point = line.pointOfList
        guard point != nil || line.isTask else { return nil }
        let said = point ?? line
        let hasBox = said.hasBox
        var rest = hasBox ? said.dropFirst(3) : said
        var name: [Range<Int>] = []
        var isTagged = hasBox
        while let word = rest.nextWord() {
            if word.isField || point == nil && name.isEmpty && word.isTaskMark {
                isTagged = true
            } else if let last = name.last, last.upperBound == word.startIndex - 1 {
                name[name.count - 1] = last.lowerBound..<word.endIndex
            } else {
                name.append(word.indices)
            }
        }
        if isTagged {
            self.init(name: name, said: said.indices)
        } else if let name = said.leadingName {
            self.init(name: [name], said: said.indices, isProse: true)
        } else {
            return nil
        }
    }
}

extension ArraySlice<UInt8> {
    /// Whether a letter is in it, of any script.
    var hasLetter: Bool {
        contains { byte in
            switch byte {
            case 0x41...0x5A, 0x61...0x7A: true
            // Not what begins signs, fractions, money and pictures.
            default: byte >= 0xC3 && byte != 0xE2 && byte < 0xF0
            }
        }
    }

    /// What a point says, behind its mark; nil where it is none.
    fileprivate var pointOfList: ArraySlice<UInt8>? {
        guard let first else { return nil }
        var rest = dropFirst()
        if (0x30...0x39).contains(first) {
            rest = rest.prefix(12).drop { (0x30...0x39).contains($0) }
            guard let mark = rest.first, mark == 0x2E || mark == 0x29 else { return nil }
            rest = self[(rest.startIndex + 1)...]
        } else if ![0x2A, 0x2B, 0x2D].contains(first) {
            return nil
        }
        return rest.first == 0x20 ? rest.withoutIndentation : nil
    }

    fileprivate var hasBox: Bool {
        count > 3 && first == 0x5B && self[startIndex + 2] == 0x5D && self[startIndex + 3] == 0x20
    }

    /// Whether a line is a task as todo.txt has it: done, with a priority, or with tags.
    fileprivate var isTask: Bool {
        var rest = self
        guard let first = rest.nextWord() else { return false }
        if first.isPriority { return true }
        if first.elementsEqual([0x78]) { return rest.nextWord()?.isDate == true }
        guard contains(where: { $0 == 0x40 || $0 == 0x2B || $0 == 0x3A }) else { return false }
        while let word = rest.nextWord() {
            if word.isTag { return true }
        }
        return false
    }

    fileprivate var isTaskMark: Bool { isPriority || elementsEqual([0x78]) }

    /// Whether it is as `(A)`.
    private var isPriority: Bool {
        count == 3 && first == 0x28 && (0x41...0x5A).contains(self[startIndex + 1])
            && last == 0x29
    }

    /// Whether a word says something of a record other than what it is called.
    fileprivate var isField: Bool { isTag || isDate || first == 0x23 && count > 1 }

    /// Whether it is as `@home`, `+house` or `due:2026-01-02`.
    private var isTag: Bool {
        if first == 0x40 || first == 0x2B { return dropFirst().hasLetter }
        let key = prefix { (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0) }
        let value = self[key.endIndex...]
        return !key.isEmpty && value.first == 0x3A && value.count > 1
            && !value.starts(with: "://".utf8)
    }

    private var isDate: Bool {
        count >= 8 && (0x30...0x39).contains(self[startIndex])
            && allSatisfy { (0x2D...0x3A).contains($0) || $0 == 0x54 }
    }

    /// The next word, with what parts it from the one before it taken off.
    fileprivate mutating func nextWord() -> ArraySlice<UInt8>? {
        let rest = withoutIndentation
        guard !rest.isEmpty else { return nil }
        let word = rest.prefix { $0 != 0x20 && $0 != 0x09 }
        self = self[word.endIndex...]
        return word
    }

    /// What stands first between marks of emphasis, or before a colon; nil where nothing follows.
    fileprivate var leadingName: Range<Int>? {
        for mark in ["**", "__", "`", "["] where starts(with: mark.utf8) {
            let text = dropFirst(mark.utf8.count)
            let close: UInt8 = mark == "[" ? 0x5D : mark.utf8.first ?? 0
            guard let end = text.firstIndex(of: close), text[end...].dropFirst(2).hasLetter else {
                return nil
            }
            return text.startIndex..<end
        }
        var rest = self
        for _ in 0..<4 {
            guard let word = rest.nextWord() else { return nil }
            if word.last == 0x3A {
                return rest.hasLetter ? startIndex..<word.endIndex - 1 : nil
            }
        }
        return nil
    }
}
