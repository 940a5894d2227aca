import FoundationEssentials

extension Terminal {
    /// Shows a value as one JSON document, keys sorted; indented for a reader.
    static func show(json value: some Encodable) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        if outputIsTerminal {
            encoder.outputFormatting.insert(.prettyPrinted)
        }
        try show(lines: [String(decoding: encoder.encode(value), as: UTF8.self)])
    }
}
