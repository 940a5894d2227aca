import ArgumentParser
import LockbookEngine

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
