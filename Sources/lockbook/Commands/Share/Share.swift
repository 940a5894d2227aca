import ArgumentParser
import LockbookEngine

struct Share: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "share",
        abstract: "Share documents and folders with other accounts",
        discussion: """
            What is wanted here is done by the next sync. The other side sees an offer after its own \
            next sync, can read it as `id:` and its id, and puts it into its tree with `accept`.
            """,
        subcommands: [
            ShareNew.self, ShareInvite.self, ShareList.self, SharePending.self, ShareAccept.self,
            ShareReject.self,
            ShareSetMode.self, ShareRevoke.self, ShareTransfer.self, ShareVerify.self,
            ShareLeave.self,
            ShareBlock.self, ShareUnblock.self,
        ]
    )
}

/// What the other account may do, as it is typed.
enum ShareModeWord: String, ExpressibleByArgument, CaseIterable {
    case read, write, admin

    var right: ShareRight {
        switch self {
        case .read: .read
        case .write: .write
        case .admin: .admin
        }
    }
}

struct ShareNew: ParsableCommand, FollowedBySync {
    static let configuration = CommandConfiguration(
        commandName: "new",
        abstract: "Share a document or folder",
        discussion: """
            With `read` the other account reads all that is in it, now and later; with `write` it \
            makes, changes, moves and deletes there, too; with `admin` it lets others in besides, changes \
            what they may do, and takes it back. The shared folder itself stays yours, and only you \
            make somebody an admin.
            """
    )

    @Argument(help: "The document or folder.")
    var target: String

    @Argument(help: "The other account's name.")
    var user: String

    @Option(help: "What the other account may do: read, write or admin.")
    var mode = ShareModeWord.read

    func run() throws {
        let lockbook = try Lockbook.open()
        let (target, user, mode) = (target, user, mode.right)
        let share = try asking(lockbook.awaited) {
            try await lockbook.share(FileReference(target), with: user, mode: mode)
        }
        Terminal.notice(
            "\(share.path) will be shared with \(user) (\(mode.rawValue)) by the next sync"
                + (share.verified
                    ? "" : "; `lockbook share verify \(user)` makes sure who that is"),
            bySyncOf: lockbook
        )
        if !share.verified, let known = try? lockbook.lookAlike(of: user) {
            Terminal.warn("\(user) is another account than \(known)")
        }
        if let around = try? lockbook.widerShare(around: share) {
            Terminal.notice(
                "\(around.path), which it is in, is shared with \(user) (\(around.mode.rawValue)): "
                    + "that holds here, too"
            )
        }
    }
}

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
        var shares = try lockbook.shares(of: target.map { FileReference($0) })
        if target == nil { shares += try lockbook.sharesOfOthers() }
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

struct SharePending: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pending",
        abstract: "Show what others offer",
        discussion: """
            One line for each: the id, the account, the mode and the name. `lockbook list id:ID` and \
            `lockbook cat id:ID/a.md` read it before it is accepted. In place of the mode stands \
            `transfer` where the owner gives it to you for good.
            """
    )

    @Flag(help: "Show everything as JSON.")
    var json = false

    func run() throws {
        let offers = try Lockbook.open().offers()
        if json { return try Terminal.show(json: offers) }
        try Terminal.show(
            lines: offers.map { offer in
                [
                    offer.id, offer.from, offer.transfer ? "transfer" : offer.mode.rawValue,
                    offer.name + (offer.type == .folder ? "/" : ""),
                ].joined(separator: "  ")
            }
        )
    }
}

struct ShareReject: ParsableCommand, FollowedBySync {
    static let configuration = CommandConfiguration(
        commandName: "reject",
        abstract: "Do not show an offer any more"
    )

    @Argument(
        help: ArgumentHelp(
            "The id, or its beginning; or the owner and the name.",
            valueName: "offer"
        )
    )
    var id: String

    func run() throws {
        let lockbook = try Lockbook.open()
        try lockbook.rejectShare(id: id)
        Terminal.notice("your other devices hear of it by the next sync", bySyncOf: lockbook)
    }
}

struct ShareSetMode: ParsableCommand, FollowedBySync {
    static let configuration = CommandConfiguration(
        commandName: "mode",
        abstract: "Change what another account may do"
    )

    @Argument(help: "The shared document or folder.")
    var target: String

    @Argument(help: "The other account's name.")
    var user: String

    @Argument(help: "What the other account may do: read, write or admin.")
    var mode: ShareModeWord

    func run() throws {
        let lockbook = try Lockbook.open()
        try lockbook.setShare(FileReference(target), of: user, to: mode.right)
        Terminal.notice(
            "\(user) has \(mode.rawValue) from the next sync on",
            bySyncOf: lockbook
        )
    }
}

struct ShareRevoke: ParsableCommand, FollowedBySync {
    static let configuration = CommandConfiguration(
        commandName: "revoke",
        abstract: "Take a share back",
        discussion: """
            The next sync gives everything in it new keys, so that the other account reads nothing \
            that is written from then on. What it has read already it may have kept. An invitation that \
            nobody has used is taken back by its id, as `lockbook share list` shows it.
            """
    )

    @Argument(help: "The shared document or folder.")
    var target: String

    @Argument(help: "The other account's name, or the id of an invitation.")
    var user: String

    func run() throws {
        let lockbook = try Lockbook.open()
        try lockbook.setShare(FileReference(target), of: user, to: nil)
        Terminal.notice("taken back by the next sync", bySyncOf: lockbook)
    }
}

struct ShareVerify: ParsableCommand, FollowedBySync {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Make sure who an account is",
        discussion: """
            Shows a number that is the same on both sides when no server stands between you. Compare \
            it by another way than this server, then say so.
            """
    )

    @Argument(help: "The other account's name.")
    var user: String

    @Flag(help: "Note that the numbers are the same; do not ask.")
    var confirm = false

    func run() throws {
        let lockbook = try Lockbook.open()
        let (user, confirm) = (user, confirm)
        let line = ProgressLine(waitingFor: { lockbook.awaited })
        defer { line.clear() }
        let isVerified = try waiting(line) {
            try await lockbook.verify(user) { number in
                line.clear()
                try Terminal.show(lines: [number])
                guard !confirm else { return true }
                guard Terminal.inputIsTerminal, Terminal.mayAsk else { return false }
                try Question.confirm(
                    "does \(user) see the same number?",
                    otherwise: "\(user) was not verified"
                )
                return true
            }
        }
        if isVerified {
            Terminal.notice(
                "\(user) is verified, on all of your devices from the next sync on",
                bySyncOf: lockbook
            )
        }
    }
}

struct ShareLeave: ParsableCommand, FollowedBySync {
    static let configuration = CommandConfiguration(
        commandName: "leave",
        abstract: "Give up what another account shares with you"
    )

    @Argument(help: "The link to it.")
    var target: String

    func run() throws {
        try Lockbook.open().leaveShare(FileReference(target))
    }
}
