/// A key or a phrase, as it is typed or pasted line by line.
///
/// Numbers and signs between the words of a phrase do not count, so the words may come as `account
/// export --phrase` shows them, as a list, or one by one.
struct TypedKey {
    private static let wordCount = 24
    /// No word of a phrase is so long, and every piece of a key is longer.
    private static let longestWord = 12

    private(set) var lines: [String] = []
    private var words = 0
    private var isKey = false

    /// Whether no more lines belong to it.
    var isWhole: Bool { isKey || words >= Self.wordCount }

    var isEmpty: Bool { lines.isEmpty }

    var text: String { lines.joined(separator: " ") }

    mutating func take(_ line: String) {
        lines.append(line)
        words += line.split { !$0.isLetter }.count
        isKey =
            isKey
            || line.split { !$0.isLetter && !$0.isNumber }
                .contains { $0.utf8.count > Self.longestWord }
    }
}
