import ArgumentParser
import LockbookEngine

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
