import ArgumentParser
import LockbookEngine

struct Recent: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "recent",
        abstract: "List the documents that were changed last",
        discussion: """
            The newest first, on every device of the account. On a terminal each has its time in \
            front; into a pipe goes one bare path per line.
            """
    )

    @Option(
        name: [.customShort("n", allowingJoined: true), .customLong("number")],
        help: ArgumentHelp("How many (default: 10).", valueName: "number")
    )
    var number: Int?

    @Flag(help: "Show everything as JSON.")
    var json = false

    @Flag(name: [.customShort("0"), .customLong("null")], help: "End each path with NUL.")
    var null = false

    func validate() throws {
        guard !(json && null) else { throw ValidationError("--json and --null exclude each other") }
        guard number ?? 1 > 0 else {
            throw ValidationError("the number of documents is at least 1")
        }
    }

    func run() throws {
        let files = try Lockbook.open().recent(number ?? 10)
        if json {
            try Terminal.show(json: files)
        } else if null {
            try Terminal.show(lines: files.map(\.path), endingIn: "\0")
        } else if Terminal.outputIsTerminal {
            try Terminal.show(
                lines: files.map { localTime(milliseconds: $0.modified) + "  " + $0.path }
            )
        } else {
            try Terminal.show(lines: files.map(\.path))
        }
    }
}
