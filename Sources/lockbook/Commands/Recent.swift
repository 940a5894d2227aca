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
        // One below nothing is told as nothing is, and is no option.
        parsing: .unconditional,
        help: ArgumentHelp("How many at most.", valueName: "number")
    )
    var number: Int?

    @Option(
        help: ArgumentHelp(
            "All since then, as 7d, 12h, today, yesterday or 2026-01-31.",
            valueName: "when"
        )
    )
    var since: Moment?

    @OptionGroup var output: PathOutput

    func validate() throws {
        guard number ?? 1 > 0 else {
            throw ValidationError("the number of documents is at least 1")
        }
    }

    func run() throws {
        let most = number ?? (since == nil ? 10 : .max)
        try PathOutput.namingUnread { unread in
            try Lockbook.open().recent(
                most,
                since: since?.milliseconds,
                marks: output.json,
                unread: unread
            )
        } show: { files in
            try output.show(files, path: \.path) { file in
                let time = localTime(milliseconds: file.modified) + "  "
                return (Terminal.outputIsTerminal ? time : "") + file.path
            }
        }
    }
}
