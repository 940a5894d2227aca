import ArgumentParser
import LockbookEngine

struct ShareNew: ParsableCommand, FollowedBySync {
    static let configuration = CommandConfiguration(
        commandName: "new",
        abstract: "Share a document or folder",
        discussion: """
            With `read` the other account reads all that is in it, now and later; with `write` it \
            makes, changes, moves and deletes there, too; with `admin` it lets others in besides, changes \
            what they may do, and takes it back. What lies deleted in it can be read, too, until \
            `lockbook trash empty` purges it. The shared folder itself stays yours, and only you \
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
        Terminal.notice(
            deleted: share.deleted ?? 0,
            in: share.path,
            readBy: user,
            ofAnother: share.owner == nil ? nil : share.id
        )
        if !share.verified, let known = try? lockbook.lookAlike(of: user) {
            Terminal.warn(lookAlike: user, of: known)
        }
        if let around = try? lockbook.widerShare(around: share) {
            Terminal.notice(
                "\(around.path), which it is in, is shared with \(user) (\(around.mode.rawValue)): "
                    + "that holds here, too"
            )
        }
    }
}
