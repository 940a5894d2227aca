import ArgumentParser
import LockbookEngine

struct ShowStatus: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show what was not synced yet",
        discussion: """
            From this device alone, without a network. --porcelain prints one line per change, \
            what happened and the path (`new /a.md`), and nothing when all is synced; its form \
            stays as it is.
            """
    )

    @Flag(help: "Show one plain line per change, for scripts.")
    var porcelain = false

    @Flag(help: "Show everything as JSON.")
    var json = false

    func validate() throws {
        guard !(porcelain && json) else {
            throw ValidationError("--porcelain and --json exclude each other")
        }
    }

    func run() throws {
        try PathOutput.show(Lockbook.open().status(unread:), as: show)
    }

    private func show(_ status: StatusReport) throws {
        if json {
            try Terminal.show(json: status)
        } else if porcelain {
            let shares = status.shares.map { ["shares \($0)"] } ?? []
            try Terminal.show(
                lines: status.changes.map { "\($0.kind.rawValue) \($0.path)" } + shares
            )
        } else {
            try Terminal.show(sentences: StatusText(status).lines)
        }
    }
}
