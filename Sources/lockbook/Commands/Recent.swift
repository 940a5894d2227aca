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
        help: ArgumentHelp("How many at most.", valueName: "number")
    )
    var number: Int?

    @OptionGroup var output: PathOutput

    func validate() throws {
        guard number ?? 1 > 0 else {
            throw ValidationError("the number of documents is at least 1")
        }
    }

    func run() throws {
        try output.show(Lockbook.open().recent(number ?? 10), path: \.path) { file in
            let time = localTime(milliseconds: file.modified) + "  "
            return (Terminal.outputIsTerminal ? time : "") + file.path
        }
    }
}
