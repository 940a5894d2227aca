import ArgumentParser
import LockbookEngine

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
