import ArgumentParser
import LockbookEngine

struct ShareTransfer: ParsableCommand, FollowedBySync {
    static let configuration = CommandConfiguration(
        commandName: "transfer",
        abstract: "Give a shared document or folder to one of its members",
        discussion: """
            The next sync offers it to the other account, whose `share accept` makes it that account's \
            own: a copy with the same members, in which you are an admin. Your next sync after that \
            brings over what was written meanwhile, puts your own into the trash and a link in its \
            place, and everybody's link leads to the new one. What is shared by itself inside goes along \
            with those who have it. Till then all stays as it is.
            """
    )

    @Argument(help: "The shared document or folder.")
    var target: String

    @Argument(help: "The member who is to own it.")
    var user: String?

    @Flag(help: "Take it back, as long as it is yours.")
    var cancel = false

    func validate() throws {
        guard cancel == (user == nil) else {
            throw ValidationError(
                cancel ? "with --cancel nobody is named" : "who is to own it is missing"
            )
        }
    }

    func run() throws {
        let lockbook = try Lockbook.open()
        guard let user else {
            let file = try lockbook.cancelTransfer(FileReference(target))
            return Terminal.notice("\(file.path) stays yours")
        }
        let file = try lockbook.transfer(FileReference(target), to: user)
        Terminal.notice(
            "\(file.path) will be offered to \(user) by the next sync; it stays yours until \(user) has "
                + "accepted it and this account has synced after that",
            bySyncOf: lockbook
        )
    }
}
