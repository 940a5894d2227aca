import ArgumentParser
import LockbookEngine

struct Diff: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff",
        abstract: "Show what changed in a document",
        discussion: """
            Without --version: what the newest change did. With one: what changed since that \
            version. With two, the older one first: what changed between them. With two documents: \
            how the second one differs from the first one. The form is that of `diff -u`; on a \
            terminal it is coloured, and goes through $LOCKBOOK_PAGER, $PAGER or less when it is \
            longer than the screen.
            """
    )

    @Argument(help: "The document.")
    var target: String

    @Argument(help: "Another document, to compare with the first one.")
    var other: String?

    @Option(help: ArgumentHelp("A version that `lockbook history` shows.", valueName: "version"))
    var version: [String] = []

    func validate() throws {
        guard version.count <= 2 else { throw ValidationError("--version is given at most twice") }
        guard other == nil || version.isEmpty else {
            throw ValidationError("--version goes with one document")
        }
    }

    func run() throws {
        let lockbook = try Lockbook.open()
        let difference = try asking(lockbook.awaited) { [target, other, version] () -> Difference in
            if let other {
                return try await lockbook.difference(
                    between: FileReference(target),
                    and: FileReference(other)
                )
            }
            return try await lockbook.difference(
                FileReference(target),
                from: version.first,
                to: version.count > 1 ? version[1] : nil
            )
        }
        guard let lines = difference.lines else {
            let which = difference.otherPath.map { "\(difference.path) and \($0)" }
            return try Terminal.show(
                lines: ["\(which ?? difference.path): the contents differ"]
            )
        }
        guard !lines.isEmpty else { return }
        try Pager.show(DiffStyle().lines(difference))
    }
}
