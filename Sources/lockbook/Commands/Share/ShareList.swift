import ArgumentParser
import LockbookEngine

struct ShareList: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Show what is shared, with whom and how",
        discussion: """
            One line for each: the path, the account, the mode, since when, and whether its keys were \
            compared; of an invitation that nobody has used its id, and how long it can be. What others \
            share with you has its owner in it.
            """
    )

    @Argument(help: "One shared document or folder (default: all).")
    var target: String?

    @Flag(help: "Show everything as JSON.")
    var json = false

    func run() throws {
        let lockbook = try Lockbook.open()
        try PathOutput.show { unread in
            let shares = try lockbook.shares(of: target.map { FileReference($0) })
            return try target == nil ? shares + lockbook.sharesOfOthers(unread: unread) : shares
        } as: {
            try show($0, of: lockbook)
            // Of an invitation nobody is known.
            let people = $0.filter { $0.state != .invited }.map(\.username)
            Terminal.warn(lookAlikesAmong: people + $0.compactMap(\.owner), in: lockbook)
        }
    }

    private func show(_ shares: [ShareInfo], of lockbook: Lockbook) throws {
        if json { return try Terminal.show(json: shares) }
        try Terminal.show(
            lines: shares.map { share in
                let since =
                    switch share.state {
                    case .shared: share.since.map { localTime(milliseconds: $0) } ?? ""
                    case .waiting: Terminal.moment("at the next sync", bySyncOf: lockbook)
                    case .takingBack: Terminal.moment("until the next sync", bySyncOf: lockbook)
                    case .invited:
                        "until " + (share.expires.map { localTime(milliseconds: $0) } ?? "")
                    }
                if let invitation = share.invitation {
                    let name = "invitation \(invitation.prefix(8))"
                    return [share.path, name, share.mode.rawValue, since].joined(separator: "  ")
                }
                let words = [
                    share.path, share.username, share.mode.rawValue, since,
                    share.verified ? "verified" : "not verified",
                ]
                let owner = share.owner.map { ["of \($0)"] } ?? []
                return (words + owner + (share.transfer == true ? ["offered to be its owner"] : []))
                    .joined(separator: "  ")
            }
        )
    }
}
