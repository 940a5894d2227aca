import ArgumentParser
import LockbookEngine

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
