import ArgumentParser
import LockbookEngine

struct ShareBlock: ParsableCommand, FollowedBySync {
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

    @Flag(help: "Show it as JSON, with --list.")
    var json = false

    private struct Blocked: Encodable {
        var username: String
    }

    func validate() throws {
        guard list == (user == nil) else {
            throw ValidationError("name an account, or use --list")
        }
        guard list || !json else { throw ValidationError("--json goes with --list") }
    }

    func run() throws {
        let lockbook = try Lockbook.open()
        guard let user else {
            let names = try lockbook.blocked()
            guard json else { return try Terminal.show(lines: names) }
            return try Terminal.show(json: names.map { Blocked(username: $0) })
        }
        try asking(lockbook.awaited) { try await lockbook.block(user) }
        Terminal.notice(
            "offers of \(user) are refused from the next sync on",
            bySyncOf: lockbook
        )
    }
}

struct ShareUnblock: ParsableCommand, FollowedBySync {
    static let configuration = CommandConfiguration(
        commandName: "unblock",
        abstract: "Take offers of an account again"
    )

    @Argument(help: "The other account's name.")
    var user: String

    func run() throws {
        let lockbook = try Lockbook.open()
        try lockbook.unblock(user)
        Terminal.notice(
            "\(user) may offer you something again from the next sync on",
            bySyncOf: lockbook
        )
    }
}
