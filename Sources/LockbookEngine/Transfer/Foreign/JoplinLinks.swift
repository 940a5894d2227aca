import LockbookModel

/// Joplin's links, `:/` and an id, made to paths.
enum JoplinLinks {
    private static let digits = 32

    /// - Parameters:
    ///   - folder: where the note is.
    ///   - place: where something is, by its id; a link stays as it is where that is not known.
    static func relative(
        _ text: String,
        in folder: [FileName],
        place: (String) -> [FileName]?
    ) -> String {
        var result: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.first {
            let id = rest.dropFirst(2).prefix(digits)
            let isLink =
                byte == UInt8(ascii: ":") && rest.dropFirst().first == UInt8(ascii: "/")
                && id.count == digits && result.last.map(Self.opens) ?? false
            if isLink, let path = place(String(decoding: id, as: UTF8.self)) {
                result += Array(ForeignNames.link(from: folder, to: path).utf8)
                rest = rest.dropFirst(2 + digits)
            } else {
                result.append(byte)
                rest = rest.dropFirst()
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// What stands before the target of a link, in Markdown and in HTML.
    private static func opens(_ byte: UInt8) -> Bool {
        "(<\"' ".utf8.contains(byte)
    }
}
