import ArgumentParser
import LockbookEngine

struct AccountImport: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Bring your account to this device",
        discussion: """
            Reads the key or the 24 words from standard input; on a terminal what is typed stays \
            hidden. It is no argument because other users of the machine could read it there.
            """
    )

    @OptionGroup var server: ServerOptions

    func run() throws {
        let directory = try DataDirectory.path()
        let address = try server.address()
        let key = try Secret.key(asking: "key or 24 words: ")
        let imported: ImportedAccount
        do {
            imported = try asking(AwaitedWork(address.url)) {
                try await Lockbook.importAccount(key: key, server: address, directory: directory)
            }
        } catch LockbookError.offline(let server, let reason) {
            throw try notImported("cannot reach \(server): \(reason)")
        } catch LockbookError.unavailable(let server, let reason) {
            throw try notImported("\(server) cannot do its work: \(reason)")
        }
        let name = try imported.lockbook.accountInfo().username
        Terminal.notice(
            "the account \(name) is on this device now; `lockbook sync` brings its notes"
        )
        let present = try imported.lockbook.accountInfo().server
        if server.server != nil, present != address.url {
            Terminal.notice(
                "it syncs with \(present) as before; `lockbook account server` changes that"
            )
        }
        if imported.isNewestOfOthers {
            Terminal.notice(
                "the newest change is of somebody who may write here, too: after the first sync "
                    + "`lockbook status` shows it, here as on your other device"
            )
        }
        guard let newest = imported.newest else { return }
        Terminal.notice("the newest change that the server shows is \(newest.sentence)")
        Terminal.notice(
            "`status` on your other device shows the same after its sync; if this one is "
                + "older, the server keeps something back"
        )
    }

    private func notImported(_ reason: String) throws -> CommandError {
        try .notImported(reason, isServerNamed: server.isNamed)
    }
}
