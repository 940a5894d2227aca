import ArgumentParser
import LockbookEngine

struct ShareForget: ParsableCommand, FollowedBySync {
    static let configuration = CommandConfiguration(
        commandName: "forget",
        abstract: "Forget the keys that are known of an account",
        discussion: """
            For when the other account was made anew, or a server had shown a false one: only the \
            other person can tell you that, by another way than this server. What those keys offered \
            or shared goes with the next sync, as if it was taken back, and the name is met anew, by \
            all of your devices. What you share with them has to be taken back before. It asks first; \
            where nobody can be asked, it takes --force.
            """
    )

    @Argument(help: "The other account's name.")
    var user: String

    @Flag(name: .shortAndLong, help: "Do not ask.")
    var force = false

    func run() throws {
        try Lockbook.open().forget(user) {
            guard !force else { return }
            let (what, otherwise) = ("forget the keys of \(user)", "they stay known")
            guard Terminal.canAsk else { throw CommandError.unforced(what, otherwise: otherwise) }
            try Question.confirm(
                "\(what)? what they share with you goes; do you know by another way than the server, "
                    + "as from \(user) in person, that they are not \(user)'s any more?",
                otherwise: otherwise
            )
        }
        Terminal.notice(
            "the keys of \(user) are forgotten, on all of your devices from the next sync on; "
                + "`lockbook share verify \(user)` makes sure who has the name then"
        )
    }
}
