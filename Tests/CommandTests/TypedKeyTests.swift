import Testing

@testable import lockbook

@Suite struct TypedKeyTests {
    private static let words = [
        "zoo", "abandon", "lock", "note", "boat", "mast", "sail", "harbor", "wind", "wave", "rope",
        "deck", "crew", "fish", "gull", "salt", "sand", "shell", "tide", "moon", "star", "dawn",
        "dusk", "ice",
    ]

    /// The rows that `account export --phrase` shows.
    private static let rows = stride(from: 0, to: 24, by: 4).map { row in
        (row..<row + 4).map { " \($0 + 1) \(words[$0])    " }.joined()
    }

    @Test(
        arguments: [
            rows,
            words,
            words.enumerated().map { "\($0 + 1). \($1)" },
            words.enumerated().map { "\($0 + 1)) \($1)," },
            words.flatMap { ["1.", $0] },
            [words.joined(separator: ", ")],
        ]
    )
    func `a phrase is whole with its last word, in whatever form it comes`(lines: [String]) {
        var key = TypedKey()
        for line in lines {
            #expect(!key.isWhole)
            key.take(line)
        }
        #expect(key.isWhole)
        #expect(key.text.split { !$0.isLetter }.map(String.init) == Self.words)
    }

    @Test(arguments: ["lb1abcdefghijklmnopqrstu2345", "ABCDEFGHIJ234567ABCDEFGH"])
    func `a key is whole with its line`(line: String) {
        var key = TypedKey()
        key.take(line)
        #expect(key.isWhole)
        #expect(key.text == line)
    }
}
