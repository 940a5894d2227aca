import ArgumentParser
import LockbookEngine

struct AccountDelete: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Delete the account on the server, for good",
        discussion: """
            The server forgets all that it keeps of the account: notes, history, and what you \
            share, which ends for those you share it with. Nobody is ever given its name again, \
            and no sync brings it back. It asks for your username first; where nobody can be \
            asked, it takes --force. The notes and the key on your devices stay until `lockbook \
            account logout`; documents whose contents are on the server alone are lost: `lockbook \
            sync --full` fetches them before.
            """
    )

    @Flag(name: .shortAndLong, help: "Do not ask.")
    var force = false

    func run() throws {
        let lockbook = try Lockbook.open()
        let account = try lockbook.accountInfo()
        let notHere = try lockbook.status().notHere
        if notHere > 0 {
            Terminal.warn(
                "the contents of \(count(notHere, "document")) are on the server alone and would "
                    + "be lost; `lockbook sync --full` fetches them"
            )
        }
        if !force { try confirm(account.username, sharingWith: lockbook.memberCount()) }
        try asking(lockbook.awaited) { try await lockbook.deleteAccount() }
        Terminal.notice("the account \(account.username) is deleted on \(account.server)")
        Terminal.notice(
            "the notes and the key on this device stay: `lockbook account logout` removes them"
        )
    }

    private func confirm(_ username: String, sharingWith others: Int) throws {
        let (what, otherwise) = ("delete the account \(username) for good", "the account stays")
        guard Terminal.canAsk else {
            throw CommandError.unforced(what, otherwise: otherwise)
        }
        let shares = others > 0 ? "; what you share with \(count(others, "other")) ends" : ""
        try Question.confirm(
            "\(what)? the server forgets all of it\(shares). To do it, type \(username):",
            typing: username,
            otherwise: otherwise
        )
    }
}
