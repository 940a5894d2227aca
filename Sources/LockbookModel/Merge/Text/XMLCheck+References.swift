extension XMLCheck {
    /// A value with its character references replaced by what they stand for.
    ///
    /// Other entities stay as they are written, since none is looked up.
    static func resolved(_ value: ArraySlice<UInt8>) -> [UInt8] {
        var resolved: [UInt8] = []
        var rest = value
        while let byte = rest.popFirst() {
            if byte == 0x26, let end = rest.prefix(Self.longestReference).firstIndex(of: 0x3B),
                let scalar = scalar(rest[..<end])
            {
                resolved += Array(String(scalar).utf8)
                rest = rest[(end + 1)...]
            } else {
                resolved.append(byte)
            }
        }
        return resolved
    }

    /// Bytes that are looked through for a reference's end: `#x10FFFF` has eight, before which there may
    /// be zeros.
    private static let longestReference = 16

    /// What `#110`, `#x6e` or one of the five predefined names stands for.
    private static func scalar(_ reference: ArraySlice<UInt8>) -> Unicode.Scalar? {
        let name = String(decoding: reference, as: UTF8.self)
        switch name {
        case "amp": return "&"
        case "lt": return "<"
        case "gt": return ">"
        case "quot": return "\""
        case "apos": return "'"
        default:
            let number =
                name.hasPrefix("#x")
                ? UInt32(name.dropFirst(2), radix: 16)
                : name.hasPrefix("#") ? UInt32(name.dropFirst()) : nil
            return number.flatMap(Unicode.Scalar.init)
        }
    }
}
