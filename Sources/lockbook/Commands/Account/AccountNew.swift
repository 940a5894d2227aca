import ArgumentParser
import LockbookEngine

struct AccountNew: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "new",
        abstract: "Make an account",
        discussion: """
            The key is made here and never leaves your devices. When the server cannot be reached, \
            the first sync registers the name.
            """
    )

    @Argument(help: "The username: 1 to 32 of a-z, 0-9, `.`, `_` and `-`.")
    var name: String

    @OptionGroup var server: ServerOptions

    func run() throws {
        let lockbook = try Lockbook.createAccount(
            username: name,
            server: server.address(),
            directory: DataDirectory.path()
        )
        do {
            try waiting { try await lockbook.register() }
            announce()
        } catch let error as LockbookError {
            // The name that was refused is nobody's account.
            if case .usernameTaken = error { throw error }
            announce()
            try tell(error)
        }
    }

    private func announce() {
        Terminal.notice("the account \(name) is on this device now")
        Terminal.notice(
            "write down your 24 words, nobody can bring your notes back without them: "
                + "lockbook account export --phrase"
        )
    }

    private func tell(_ error: LockbookError) throws {
        switch error {
        case .offline(let server, let reason):
            Terminal.notice(
                "\(server) cannot be reached (\(reason)): the first `lockbook sync` registers it"
            )
        case .unavailable(let server, let reason):
            Terminal.notice(
                "\(server) cannot do its work (\(reason)): the first `lockbook sync` registers it"
            )
        default: throw error
        }
    }
}
