import ArgumentParser
import LockbookEngine

struct ShareBlock: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "block",
        abstract: "Take no offers of an account",
        discussion: """
            From the next sync on its offers are not shown on any of your devices, and the server \
            refuses new ones. What you accepted stays until you leave it.
            """
    )

    @Argument(help: "The other account's name.")
    var user: String?

    @Flag(help: "Show who is blocked.")
    var list = false

    func validate() throws {
        guard list == (user == nil) else {
            throw ValidationError("name an account, or use --list")
        }
    }

    func run() throws {
        let lockbook = try Lockbook.open()
        guard let user else { return try Terminal.show(lines: try lockbook.blocked()) }
        try waiting { try await lockbook.block(user) }
    }
}

struct ShareUnblock: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unblock",
        abstract: "Take offers of an account again"
    )

    @Argument(help: "The other account's name.")
    var user: String

    func run() throws {
        try Lockbook.open().unblock(user)
    }
}
