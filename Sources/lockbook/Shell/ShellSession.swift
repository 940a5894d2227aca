import Glibc
import LockbookEngine

/// One run of `lockbook shell`: where it stands, and how the last command ended.
struct ShellSession {
    private var folder = ShellFolder()
    private var previous = "/"
    private var status: Int32 = 0
    /// Whether a folder was to be entered, and was not.
    private var isAstray = false

    /// Reads lines from a pipe or a file until they end, or until a folder cannot be entered: those
    /// that follow would be about another one.
    /// - Parameter exitsOnError: whether any command that fails is the last one.
    /// - Returns: the status of the last command.
    mutating func readScript(exitsOnError: Bool) throws -> Int32 {
        let runner = SelfRunner()
        var number = 0
        while var line = try StandardInput.lineBytes() {
            number += 1
            // Some editors put it in front of every text.
            if number == 1, line.starts(with: "\u{FEFF}".utf8) { line.removeFirst(3) }
            guard line.first != UInt8(ascii: "#") else { continue }
            guard run(line, number: number, with: runner) else { break }
            if isAstray {
                Terminal.notice("the shell ends at line \(number): what follows is for that folder")
                break
            }
            if exitsOnError, status != 0 {
                Terminal.notice("the shell ends at line \(number), which failed")
                break
            }
        }
        return status
    }

    /// Talks to a person until that person leaves.
    mutating func converse() throws -> Int32 {
        let editor = try LineEditor()
        let runner = SelfRunner(signals: editor.signals)
        var history = ShellHistory()
        editor.remember(history.lines())
        while true {
            let input = try editor.line(prompt: ShellPrompt(folder: folder.path).text) {
                [folder] line in
                ShellCompletion(of: line, folder: folder, root: Self.commands).change
            }
            switch input {
            case .interrupted: status = Status.interrupted.rawValue
            case .end:
                try Terminal.write(Array("\n".utf8))
                return 0
            case .line(let bytes):
                let text = String(validating: bytes, as: UTF8.self)
                if let text, history.add(text) { editor.remember([text]) }
                // What was pasted may be several lines.
                let lines = text?.split(whereSeparator: \.isNewline).map { Array($0.utf8) }
                for line in lines ?? [bytes] {
                    guard run(line, with: runner) else { return status }
                }
            }
        }
    }

    /// - Parameter number: that of the line in a script.
    /// - Returns: false when the shell is to be left.
    private mutating func run(
        _ line: [UInt8],
        number: Int? = nil,
        with runner: SelfRunner
    ) -> Bool {
        let parsed = ShellLine(line)
        var words = parsed.words.map(\.text)
        if words.first == "lockbook" { words.removeFirst() }
        guard let command = words.first else { return true }
        Failure.beginCommand()
        do {
            guard String(validating: line, as: UTF8.self) != nil else {
                throw CommandError.lineNotUTF8(number: number)
            }
            guard !line.contains(0) else { throw CommandError.zeroByte }
            guard parsed.openQuote == nil else {
                throw UsageError(message: "a quote is open", hint: "\\ keeps the next character")
            }
            switch command {
            case _ where Self.asksAboutShell(words):
                try Terminal.show(lines: Array(Self.help.dropFirst()))
                status = 0
            case "exit", "quit":
                // In a script that of the last command, as in any other shell.
                status = try Self.status(words.dropFirst().first) ?? (number == nil ? 0 : status)
                return false
            case "cd":
                try enter(words.dropFirst().filter { $0 != "--" })
                status = 0
            case "pwd":
                try Terminal.show(lines: [folder.path])
                status = 0
            case "shell":
                throw UsageError(message: "this is the shell", hint: "`exit` leaves it")
            default:
                status = try runner.run(folder.absolute(words, in: Self.commands))
                if command == "help", words.count == 1 { try Terminal.show(lines: Self.help) }
            }
        } catch {
            let failure = Failure(ofCommand: error)
            Terminal.tell(failure)
            status = failure.status.rawValue
            isAstray = command == "cd"
        }
        return true
    }

    private mutating func enter(_ words: [String]) throws {
        guard words.count < 2 else {
            throw UsageError(message: "cd goes to one folder", hint: "usage: cd [<folder>]")
        }
        guard words.first != "" else { throw CommandError.emptyArgument("the path") }
        let target = words.first == "-" ? previous : folder.absolute(words.first ?? "/")
        let lockbook = try Lockbook.open()
        let file = try lockbook.info(FileReference(target))
        guard try lockbook.isFolder(file.path) else {
            throw LockbookError.notAFolder(path: file.path)
        }
        previous = folder.path
        folder.enter(file.path)
        if words.first == "-" { try Terminal.show(lines: [folder.path]) }
    }

    private static func status(_ word: String?) throws -> Int32? {
        guard let word else { return nil }
        guard let number = Int32(word), (0...255).contains(number) else {
            throw UsageError(message: "a status is 0 to 255", hint: "usage: exit [<status>]")
        }
        return number
    }

    /// What can stand at the beginning of a line.
    static let commands: CommandShape = {
        var root = CommandShape.root
        root.options = []
        root.commands.removeAll { $0.names == ["shell"] }
        root.commands += [
            CommandShape("cd", abstract: "Go to a folder", words: [.folder]),
            CommandShape("pwd", abstract: "Show which folder this is"),
            CommandShape("exit", abstract: "Leave the shell"),
        ]
        return root
    }()

    /// Whether a line asks what the shell's own commands do, as every other command is asked.
    private static func asksAboutShell(_ words: [String]) -> Bool {
        let own = ["cd", "pwd", "exit", "quit"]
        if words.first == "help" { return words.count == 2 && own.contains(words[1]) }
        guard own.contains(words[0]) else { return false }
        return words.dropFirst().prefix { $0 != "--" }.contains { $0 == "--help" || $0 == "-h" }
    }

    private static let help = [
        "",
        "IN THE SHELL:",
        "  cd [<folder>]           Go to a folder, to the root, or with - back",
        "  pwd                     Show which folder this is",
        "  exit                    Leave the shell",
    ]
}
