import ArgumentParser
import LockbookEngine

struct AccountImport: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Bring your account to this device",
        discussion: """
            Reads the key or the 24 words from standard input; on a terminal what is typed stays \
            hidden. It is no argument because other users of the machine could read it there. Of an \
            account that is on this device already, --server changes the address of its server.
            """
    )

    @OptionGroup var server: ServerOptions

    func run() throws {
        let directory = try DataDirectory.path()
        let address = try server.address()
        let moves = server.server != nil
        let key = try Secret.key(asking: "key or 24 words: ")
        let imported = try waiting {
            try await Lockbook.importAccount(
                key: key,
                server: address,
                directory: directory,
                moves: moves
            )
        }
        let name = try imported.lockbook.accountInfo().username
        guard !imported.hasMoved else {
            return Terminal.notice(
                "the account \(name) is on this device, and syncs with \(address.url) now"
            )
        }
        Terminal.notice(
            "the account \(name) is on this device now; `lockbook sync` brings its notes"
        )
        guard let newest = imported.newest else { return }
        Terminal.notice("the newest change that the server shows is \(newest.sentence)")
        Terminal.notice(
            "`lockbook status` on your other device shows the same after its sync; if this one is "
                + "older, the server keeps something back"
        )
    }
}
