/// What an editor changes in a whole text at once: the mark in front of it, and how all lines end.
struct TextForm: Equatable {
    private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// Whether the mark that says that a text is UTF-8 stands in front.
    var hasMark: Bool
    /// Whether each line ends in a carriage return and a line feed; nil where not all end alike.
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

    /// The form that the merge of three texts has; nil where all have the same, or not each has one for
    /// all its lines.
    static func merged(base: TextForm, local: TextForm, remote: TextForm) -> TextForm? {
        guard local != base || remote != base else { return nil }
        let forms = [base, local, remote]
        var form = local == base ? remote : local
        form.hasMark = local.hasMark == base.hasMark ? remote.hasMark : local.hasMark
        let endings = forms.map(\.endsInReturns)
        guard endings.contains(where: { $0 != endings[0] }) else { return form }
        guard !endings.contains(nil) else { return nil }
        form.endsInReturns =
            local.endsInReturns == base.endsInReturns
            ? remote.endsInReturns : local.endsInReturns
        return form
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
        var text = hasMark ? Self.mark : []
        text.reserveCapacity(plain.count + plain.count / 16)
        for byte in plain {
            if byte == 0x0A, endsInReturns == true { text.append(0x0D) }
            text.append(byte)
        }
        return text
    }
}
