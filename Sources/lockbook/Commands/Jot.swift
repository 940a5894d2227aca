import ArgumentParser
import Glibc
import LockbookEngine

struct Jot: ParsableCommand, FollowedBySync {
    /// The note when nobody says anything.
    static let standardNote = "/jot.md"

    static let configuration = CommandConfiguration(
        commandName: "jot",
        abstract: "Add a line with date and time to a note",
        discussion: """
            The words are the line; without words it is standard input. The note is made if there \
            is none.

              $ lockbook jot call the harbour about the mast
            """
    )

    @Argument(help: "What to write down.")
    var text: [String] = []

    @Option(help: "The note (default: \(Jot.standardNote)).")
    var to: String?

    func run() throws {
        let lockbook = try Lockbook.open()
        let lines = try (text.isEmpty ? standardInput() : text.joined(separator: " "))
            // The end of a line from elsewhere is one character of its own.
            .split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
            .map { String($0) }
        guard let first = lines.firstIndex(where: { !$0.isBlank }),
            let last = lines.lastIndex(where: { !$0.isBlank })
        else { throw CommandError.nothingToJot }
        let moment = localTime(milliseconds: Int64(time(nil)) * 1000)
        // What follows the first line belongs to the same point of the list.
        let entry = lines[first...last].joined(separator: "\n  ")
        let note = try Settings.current().text(.jot) ?? Self.standardNote
        let target = to ?? note
        let told = lockbook.tellShares(at: [FileReference(target)])
        try asking(lockbook.awaited) {
            try await lockbook.appendFetching(
                line: "- \(moment) \(entry)",
                to: FileReference(target)
            )
        }
        try? lockbook.noteTold(shares: told)
    }

    private func standardInput() throws -> String {
        if Terminal.inputIsTerminal {
            Terminal.notice("reading from the terminal; Ctrl-D on an empty line ends it")
        }
        let bytes = try StandardInput.all()
        // What was decoded all the same would hold other words than were given.
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw CommandError.inputNoText
        }
        // A note with such in it takes no more lines.
        guard !bytes.contains(0) else { throw CommandError.inputWithZeros }
        return text
    }
}

extension String {
    fileprivate var isBlank: Bool { allSatisfy(\.isWhitespace) }
}
