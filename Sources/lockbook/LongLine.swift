/// A command line without most of its operands, where there are very many.
///
/// For each word the parser copies what it knows of all words before it: thousands of paths, as `xargs`
/// gives them, would take it minutes. It makes no difference between words that are no options, so each
/// long run of them is its first words and a mark, in the place of which the others are put afterwards.
struct LongLine {
    /// No word of a command line holds a zero byte.
    private static let mark = "\0"
    /// The values of options, and operands that have names of their own, are among the first.
    private static let keptWords = 8
    private static let longestRun = 64

    /// For the parser.
    let words: [String]
    /// What was left out at each mark.
    private let runs: [ArraySlice<String>]

    /// - Returns: nil where no run is long.
    init?(_ arguments: [String]) {
        // Behind it all are operands, whatever they begin with.
        let terminator = arguments.firstIndex(of: "--") ?? arguments.endIndex
        func isPlain(_ index: Int) -> Bool {
            index > terminator || arguments[index] == "-"
                || arguments[index].utf8.first != UInt8(ascii: "-")
        }
        var words: [String] = []
        var runs: [ArraySlice<String>] = []
        var start = 0
        while start < arguments.count {
            let end = (start..<arguments.count).first { !isPlain($0) } ?? arguments.count
            if end - start > Self.longestRun {
                let left = start + Self.keptWords
                words += arguments[start..<left] + [Self.mark]
                runs.append(arguments[left..<end])
            } else {
                words += arguments[start..<end]
            }
            if end < arguments.count { words.append(arguments[end]) }
            start = end + 1
        }
        guard !runs.isEmpty else { return nil }
        self.words = words
        self.runs = runs
    }

    /// The operands that the parser found, with those that were left out.
    /// - Returns: nil where it took a mark for something else.
    func filled(_ operands: [String]) -> [String]? {
        var rest = runs[...]
        var filled: [String] = []
        for operand in operands {
            if operand == Self.mark, let run = rest.popFirst() {
                filled += run
            } else {
                filled.append(operand)
            }
        }
        return rest.isEmpty ? filled : nil
    }
}
