import ArgumentParser
import LockbookEngine

struct AccountStatus: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show the account of this device"
    )

    @Flag(help: "Show it as JSON.")
    var json = false

    func run() throws {
        let account = try Lockbook.open().accountInfo()
        guard !json else { return try Terminal.show(json: account) }
        try Terminal.show(lines: [
            "username     \(account.username)",
            "server       \(account.server)",
            "registered   " + Self.registration(of: account),
            "account      \(account.id)",
            "fingerprint  \(account.fingerprint)",
            "device       \(account.deviceName) \(account.device)",
            "directory    \(account.directory)",
        ])
    }

    private static func registration(of account: AccountInfo) -> String {
        if let time = account.deleted {
            return "deleted on \(localDay(milliseconds: time)), by its owner and for good"
        }
        return account.registered ? "yes" : "not yet, the first sync does it"
    }
}
