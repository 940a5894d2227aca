extension XMLCheck {
    mutating func skipBlanks() {
        while at < bytes.count, [0x20, 0x0A, 0x0D, 0x09].contains(bytes[at]) { at += 1 }
    }

    mutating func take(_ markup: StaticString) -> Bool {
        let length = markup.utf8CodeUnitCount
        guard at + length <= bytes.count else { return false }
        let found = markup.withUTF8Buffer { $0.elementsEqual(bytes[at..<at + length]) }
        if found { at += length }
        return found
    }

    mutating func skip(past markup: StaticString) -> Bool {
        while at < bytes.count {
            if take(markup) { return true }
            at += 1
        }
        return false
    }

    mutating func name() -> Range<Int>? {
        let start = at
        while at < bytes.count, isNameByte(bytes[at], isFirst: at == start) { at += 1 }
        return at > start ? start..<at : nil
    }

    private func isNameByte(_ byte: UInt8, isFirst: Bool) -> Bool {
        switch byte {
        case 0x41...0x5A, 0x61...0x7A, 0x5F, 0x3A, 0x80...: true
        case 0x30...0x39, 0x2D, 0x2E: !isFirst
        default: false
        }
    }

    /// Reads `&name;`, `&#1;` or `&#xA;`.
    mutating func reference() -> Bool {
        at += 1
        if take("#") {
            let isHex = take("x")
            let start = at
            while at < bytes.count,
                let digit = Character(UnicodeScalar(bytes[at])).hexDigitValue, isHex || digit < 10
            {
                at += 1
            }
            return at > start && take(";")
        }
        guard let name = name(), take(";") else { return false }
        note(entity: bytes[name])
        return true
    }

    /// Reads `= "value"` and answers where the value is.
    mutating func attributeValue() -> Range<Int>? {
        skipBlanks()
        guard take("=") else { return nil }
        skipBlanks()
        guard at < bytes.count, bytes[at] == 0x22 || bytes[at] == 0x27 else { return nil }
        let quote = bytes[at]
        at += 1
        let start = at
        while at < bytes.count, bytes[at] != quote {
            if bytes[at] == 0x3C { return nil }
            if bytes[at] == 0x26 {
                guard reference() else { return nil }
            } else {
                at += 1
            }
        }
        guard at < bytes.count else { return nil }
        at += 1
        return start..<at - 1
    }

    /// Passes over a document type with its quoted texts, its comments and its inner declarations.
    mutating func skipType() -> Bool {
        var depth = 1
        while at < bytes.count, depth > 0 {
            if take("<!--") {
                guard skip(past: "-->") else { return false }
                continue
            }
            switch bytes[at] {
            case 0x22:
                at += 1
                guard skip(past: "\"") else { return false }
                continue
            case 0x27:
                at += 1
                guard skip(past: "'") else { return false }
                continue
            case 0x3C:
                depth += 1
                at += 1
                noteDeclaration()
                continue
            case 0x3E: depth -= 1
            default: break
            }
            at += 1
        }
        return depth == 0
    }
}
