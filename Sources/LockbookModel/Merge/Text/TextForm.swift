/// What an editor changes in a whole text at once: the mark in front of it, and how all lines end.
struct TextForm: Equatable {
    static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// Whether the mark that says that a text is UTF-8 stands in front.
    var hasMark: Bool
    /// Whether each line ends in a carriage return and a line feed; nil where not all end alike, or that
    /// is left as it is.
    var endsInReturns: Bool?

    init(of text: [UInt8]) {
        hasMark = text.starts(with: Self.mark)
        var (ends, returns) = (0, 0)
        for at in text.indices where text[at] == 0x0A {
            ends += 1
            if at > 0, text[at - 1] == 0x0D { returns += 1 }
        }
        endsInReturns = ends == 0 || returns != 0 && returns != ends ? nil : returns == ends
    }

    /// A text without its mark, and with line feeds alone where each line ends in both.
    func plain(_ text: [UInt8]) -> [UInt8] {
        let body = text.dropFirst(hasMark ? Self.mark.count : 0)
        guard endsInReturns == true else { return Array(body) }
        var plain: [UInt8] = []
        plain.reserveCapacity(body.count)
        for byte in body {
            if byte == 0x0A { plain.removeLast() }
            plain.append(byte)
        }
        return plain
    }

    /// What `plain` gave, in this form.
    func formed(_ plain: [UInt8]) -> [UInt8] {
        guard hasMark || endsInReturns == true else { return plain }
        var text = hasMark ? Self.mark : []
        text.reserveCapacity(plain.count + plain.count / 16)
        for byte in plain {
            if byte == 0x0A, endsInReturns == true { text.append(0x0D) }
            text.append(byte)
        }
        return text
    }
}

/// The forms of three texts, and the one that their merge has.
struct MergedForm {
    private(set) var base: TextForm
    private(set) var local: TextForm
    private(set) var remote: TextForm
    let merged: TextForm

    /// - Returns: nil where there is nothing to merge but the texts themselves.
    init?(base: [UInt8], local: [UInt8], remote: [UInt8]) {
        self.base = TextForm(of: base)
        self.local = TextForm(of: local)
        self.remote = TextForm(of: remote)
        let endings = [self.base, self.local, self.remote].map(\.endsInReturns)
        let converts = !endings.contains(nil) && Set(endings).count > 1
        if !converts {
            // Whatever ends a line stands in the text then.
            self.base.endsInReturns = nil
            self.local.endsInReturns = nil
            self.remote.endsInReturns = nil
        }
        guard converts || self.base.hasMark || self.local.hasMark || self.remote.hasMark else {
            return nil
        }
        var form = self.local
        if self.local.hasMark == self.base.hasMark { form.hasMark = self.remote.hasMark }
        if self.local.endsInReturns == self.base.endsInReturns {
            form.endsInReturns = self.remote.endsInReturns
        }
        merged = form
    }
}
