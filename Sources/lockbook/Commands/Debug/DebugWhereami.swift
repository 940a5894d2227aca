import ArgumentParser
import LockbookEngine

struct DebugWhereami: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "whereami",
        abstract: "Print the server and the data directory"
    )

    func run() throws {
        let account = try Lockbook.open().accountInfo()
        try Terminal.show(lines: [
            "server     \(account.server)", "directory  \(account.directory)",
        ])
    }
}
