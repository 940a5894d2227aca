import Testing

/// A story told to the command line: steps, then the files that they need.
///
/// In the manner of age's and Go's testscripts. A step is a line of words; `'` keeps a word
/// together; `!` in front turns it around; `#` begins a comment. Files follow after the steps, each
/// below a line `-- NAME --`.
///
///     lockbook WORD...       runs the program, which must end with 0 (with `!`: must not)
///     sh TEXT                runs /bin/sh, where `lockbook` is the program
///     status N               how the last one ended; 128 and the number for a signal
///     stdout REGEX           the last one's output has a match (with `!`: has none)
///     stderr REGEX
///     stdin FILE             what the next one reads (without: nothing, an empty file)
///     cmp LEFT RIGHT         the same bytes; `stdout` and `stderr` are the last one's
///     exists PATH...
///     device NAME            from here on LOCKBOOK_PATH is $WORK/NAME (first: `laptop`)
///     env NAME=VALUE
///     server start OPTION... a server of its own; API_URL leads to it
///     server stop            which must end with 0
///     server again OPTION... with the same data and address
struct Script: Sendable, CustomTestStringConvertible {
    struct Step: Sendable {
        var line: Int
        var isTurned: Bool
        var words: [String]
    }

    struct Unreadable: Error {
        var line: Int
        var reason: String
    }

    let name: String
    let path: String
    var steps: [Step] = []
    var files: [(name: String, text: String)] = []

    var testDescription: String { name }

    init(named name: String, path: String, text: String) throws {
        self.name = name
        self.path = path
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false)
            .enumerated()
        {
            if line.hasPrefix("-- "), line.hasSuffix(" --") {
                files.append((String(line.dropFirst(3).dropLast(3)), ""))
            } else if files.isEmpty {
                try add(line, number: index + 1)
            } else {
                files[files.count - 1].text += line + "\n"
            }
        }
        // The file's own last line end is not one more line.
        if !files.isEmpty {
            files[files.count - 1].text.removeLast()
        }
    }

    private mutating func add(_ line: Substring, number: Int) throws {
        var words = try Self.words(of: line, number: number)
        let isTurned = words.first == "!"
        if isTurned {
            words.removeFirst()
        }
        if !words.isEmpty {
            steps.append(Step(line: number, isTurned: isTurned, words: words))
        }
    }

    /// Splits at spaces that are not between `'`.
    private static func words(of line: Substring, number: Int) throws -> [String] {
        var words: [String] = []
        var word: String?
        var isQuoted = false
        for character in line {
            switch character {
            case "'":
                isQuoted.toggle()
                word = word ?? ""
            case "#" where !isQuoted && word == nil:
                return words
            case " " where !isQuoted:
                words += word.map { [$0] } ?? []
                word = nil
            default:
                word = (word ?? "") + String(character)
            }
        }
        guard !isQuoted else { throw Unreadable(line: number, reason: "a ' is open") }
        return words + (word.map { [$0] } ?? [])
    }
}
