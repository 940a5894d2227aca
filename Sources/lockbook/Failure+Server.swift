import LockbookEngine

extension Failure {
    /// What is wrong with the server, or with what it says.
    init(server error: LockbookError) {
        switch error {
        case .offline(let server, let reason):
            self.init(
                .offline,
                "cannot reach \(server): \(reason)",
                hint: "nothing is lost; what is on this device can be read and changed without it"
            )
        case .unavailable(let server, let reason):
            self.init(
                .offline,
                "\(server) cannot do its work: \(reason)",
                hint: "nothing is lost; sync again when it can"
            )
        case .notALockbookServer(let server, let reason):
            self.init(.offline, "\(server) does not answer as a lockbook server: \(reason)")
        case .untrustedServer(let server, let reason):
            self.init(
                .integrity,
                "\(server) cannot prove who it is: \(reason)",
                hint:
                    "if you run it with a certificate of its own, name that: --server-cert FILE "
                    + "with `account new` and `account import`, `lockbook account server --server-cert "
                    + "FILE` for the account on this device; if it worked before, do not go on "
                    + "unless you know why the certificate changed"
            )
        case .insecureServer(let server):
            self.init(
                .badInput,
                "\(server) would be reached without encryption",
                hint: "use https; plain http is for this machine only"
            )
        case .badServerAddress(let address):
            self.init(
                .badInput,
                "\(quoted(address)) is not the address of a server",
                hint: "such as https://notes.example.org or http://127.0.0.1:7654"
            )
        case .refused(let reason):
            self.init(.refused, "the server refused: \(reason)")
        case .usernameTaken(let name):
            self.init(
                .refused,
                "the name \(name) is taken on this server",
                hint: "nothing is lost; choose another with `lockbook account new NAME`"
            )
        case .accountDeleted(let username, let time):
            let name = username.isEmpty ? "this account" : "the account \(username)"
            self.init(
                .refused,
                "\(name) was deleted on \(localDay(milliseconds: time)), by its owner and for good",
                hint: username.isEmpty
                    ? "its name is not given again; make another one with `lockbook account new NAME`"
                    : "the notes on this device stay; `lockbook export` copies them, and `lockbook "
                        + "account logout` removes them"
            )
        case .deletionUnknown(let server, let reason, isSynced: false):
            self.init(
                .offline,
                "it is not known whether \(server) ever had this account: no sync of it went through "
                    + "here, and there is no answer: \(reason)",
                hint:
                    "the same command again tells, and deletes it if it had; if not, `lockbook account "
                    + "logout` removes all there is of it"
            )
        case .deletionUnknown(let server, let reason, isSynced: true):
            self.init(
                .offline,
                "it is not known whether the account was deleted: no answer from \(server): \(reason)",
                hint: "the same command again tells, and deletes it if it was not"
            )
        case .unknownAccount(let server):
            self.init(
                .refused,
                "\(server) has no account with this key",
                hint: "check --server or API_URL; if the server lost what it had, "
                    + "`lockbook sync --accept-rollback` makes the account there anew"
            )
        case .integrity(let reason, nil):
            self.init(
                .integrity,
                "the server broke a promise: \(reason)",
                hint: "what is wrong was not taken over; nothing of yours is lost by it"
            )
        case .integrity(let reason, let sharer?):
            self.init(
                .integrity,
                "\(sharer), or the server, broke a promise about what \(sharer) shares with you: "
                    + reason,
                hint: "what is wrong was not taken over, and all else was synced; if it stays so, "
                    + "`lockbook share leave` gives up each link to that, and `lockbook share block "
                    + "\(sharer)` passes by what else comes of \(sharer)"
            )
        case .rolledBack(let known, let shown, let sharer):
            let part = sharer.map { " of what \($0) shares" } ?? ""
            let kept = sharer.map { "what \($0) shares was not changed" } ?? "nothing was changed"
            self.init(
                .integrity,
                shown < known
                    ? "the server forgot changes\(part): it shows \(shown), and this device saw "
                        + "\(known)"
                    : "the server's log\(part) is not the one that this device saw up to entry "
                        + "\(known)",
                hint: "\(kept) on this device; if the server was restored from a "
                    + "backup, `lockbook sync --accept-rollback` pushes again what it lost"
            )
        case .forked(let position):
            self.init(
                .integrity,
                "the server has shown your devices two histories: change \(position) is another one "
                    + "here than where this key was made",
                hint: "the key opens this account all the same; if the server was restored from a "
                    + "backup, sync your devices and make a new one, else compare what "
                    + "`lockbook status` shows on them"
            )
        default:
            self.init(.failed, Self.unexpected(error))
        }
    }
}
