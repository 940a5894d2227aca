import Glibc
import Synchronization

/// The profile of this run: `--profile` in front of the command, or `LOCKBOOK_PROFILE`.
enum Profile {
    static let variable = "LOCKBOOK_PROFILE"

    /// From here on this profile is meant, whatever the environment said.
    static func choose(_ name: String) {
        setenv(variable, name, 1)
        chosen.withLock { $0 = name }
        // What was said on this line goes before what was said for all of them.
        unsetenv("LOCKBOOK_PATH")
    }

    /// What stood on the line of this process.
    private static let chosen = Mutex<String?>(nil)

    /// How a command begins that is about the same account as this one.
    ///
    /// What the environment says holds for the next command, too; what stood on the line has to be repeated.
    static var program: String {
        "lockbook" + (chosen.withLock { $0 }.map { " \(option) \(shellWord($0))" } ?? "")
    }

    /// What we say, where all commands that it names are about the same account as this one.
    ///
    /// A sentence names them between backticks, as `lockbook sync`; what is for somebody
    /// else, another device or another data directory stands without the program's name. It begins a word
    /// there, which within a path is a name.
    static func repeated(in sentence: String) -> String {
        repeated(in: sentence, as: program)
    }

    static func repeated(in sentence: String, as program: String) -> String {
        let mark = "`lockbook "
        var told = ""
        var rest = sentence[...]
        while let found = rest.firstRange(of: mark) {
            told += rest[..<found.lowerBound]
            let isWord = told.last.map { " (".contains($0) } ?? true
            told += isWord ? "`\(program) " : mark
            rest = rest[found.upperBound...]
        }
        return told + rest
    }

    private static let option = "--profile"

    /// The name behind the option in the same word; nil for any other word.
    static func name(in word: String) -> String? {
        word.hasPrefix(option + "=") ? String(word.dropFirst(option.count + 1)) : nil
    }

    /// Takes the options that stand in front of the command out of the words, before anything looks
    /// for files or asks.
    static func taken(from arguments: [String]) throws -> [String] {
        var rest = arguments[...]
        while let word = rest.first {
            if word == option {
                guard rest.count > 1 else { return Array(rest) }
                try takeUp(rest[rest.startIndex + 1])
                rest = rest.dropFirst(2)
            } else if let name = name(in: word) {
                try takeUp(name)
                rest = rest.dropFirst()
            } else if word == Terminal.noInputOption {
                Terminal.forbidQuestions()
                rest = rest.dropFirst()
            } else {
                break
            }
        }
        return Array(rest)
    }

    /// The variable of a script that was never set must not mean the account of no profile.
    private static func takeUp(_ name: String) throws {
        guard !name.isEmpty else { throw CommandError.emptyArgument("the value of \(option)") }
        choose(name)
    }
}
