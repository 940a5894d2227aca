import ArgumentParser
import LockbookEngine

struct DebugWhoami: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "whoami",
        abstract: "Print the username"
    )

    func run() throws {
        try Terminal.show(lines: [Lockbook.open().accountInfo().username])
    }
}
