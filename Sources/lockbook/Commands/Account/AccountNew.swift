import ArgumentParser
import LockbookEngine

struct AccountNew: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "new",
        abstract: "Make an account",
        discussion: """
            The key is made here and never leaves your devices. When the server cannot be reached, \
            or something else answers in its place, the first sync registers the name. When it \
            refuses, nothing of a new account stays here.
            """
    )

    @Argument(help: "The username: 1 to 32 of a-z, 0-9, `.`, `_` and `-`.")
    var name: String

    @OptionGroup var server: ServerOptions

    func run() throws {
        let directory = try DataDirectory.path()
        let present = try Lockbook.serverOfAccount(in: directory)
        _ = try Lockbook.createAccount(
            username: name,
            server: server.address(orElse: present),
            directory: directory,
            whileAlone: register
        )
    }

    private func register(_ lockbook: Lockbook, isNew: Bool) throws {
        do {
            try asking(lockbook.awaited) { try await lockbook.register() }
            announce()
        } catch let error as LockbookError {
            // It has another name, which the error tells.
            if case .accountExists = error { throw error }
            guard error.isRefusal else {
                announce()
                return try tell(error)
            }
            // What was refused is nobody's account: of one that was made just now nothing stays.
            guard try !isNew || !lockbook.removeUnused() else { throw error }
            Terminal.notice("the account stays on this device, with what is in it")
            throw error
        }
    }

    private func announce() {
        Terminal.notice("the account \(name) is on this device now")
        Terminal.notice(
            "write down your 24 words, nobody can bring your notes back without them: "
                + "`lockbook account export --phrase`"
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
        case .notALockbookServer(let server, let reason):
            Terminal.notice(
                "\(server) does not answer as a lockbook server (\(reason)): the first "
                    + "`lockbook sync` registers it"
            )
        default: throw error
        }
    }
}

extension LockbookError {
    /// Whether the server said no, or was told nothing: it has no such account, and would say the same again.
    fileprivate var isRefusal: Bool {
        switch self {
        case .usernameTaken, .refused, .untrustedServer: true
        default: false
        }
    }
}
