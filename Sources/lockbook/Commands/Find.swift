import ArgumentParser
import LockbookEngine

struct Find: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "find",
        abstract: "Find files by some letters of their paths",
        discussion: """
            Shows the paths that hold the pattern's letters in their order, the best first: the \
            beginnings of names and words count more, and letters that stand together. Several \
            words must all fit. A capital stands for itself alone. The status is 1 when nothing \
            fits.

              $ lockbook edit "$(lockbook find plboat | head -n 1)"
            """
    )

    @Argument(help: "Some letters of the path.")
    var pattern: [String]

    @Flag(help: "Show everything as JSON.")
    var json = false

    @Flag(name: [.customShort("0"), .customLong("null")], help: "End each path with NUL.")
    var null = false

    func validate() throws {
        guard !(json && null) else { throw ValidationError("--json and --null exclude each other") }
    }

    func run() throws {
        let lockbook = try Lockbook.open()
        let files = try lockbook.find(FuzzyPattern(pattern.joined(separator: " ")))
        if json {
            try Terminal.show(json: files)
        } else if null {
            try Terminal.show(lines: files.map(\.path), endingIn: "\0")
        } else {
            try Terminal.show(
                lines: files.map { $0.path + (Terminal.outputIsTerminal ? $0.endingSlash : "") }
            )
        }
        if files.isEmpty { throw CommandError.told(.failed) }
    }
}
