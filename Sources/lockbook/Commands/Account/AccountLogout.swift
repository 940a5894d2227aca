import ArgumentParser
import LockbookEngine

struct AccountLogout: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "logout",
        abstract: "Remove the account and its notes from this device",
        discussion: """
            What was synced stays on the server and on your other devices; to come back you need \
            the key or the 24 words. Of a deleted account nothing comes back. Changes that were \
            not synced hold it up, and so does a text that is open in an editor, or whose editing \
            was cut off. Where nobody can be asked, it takes --force.
            """
    )

    @Flag(name: .shortAndLong, help: "Give up changes that were not synced, and do not ask.")
    var force = false

    func run() throws {
        let lockbook = try Lockbook.open()
        let drafts = try Draft.abandoned(of: DataDirectory.path())
        do {
            try lockbook.logout(force: force) {
                guard !force else { return }
                guard drafts.isEmpty else { throw CommandError.cutOffEditing(count: drafts.count) }
                guard try !Draft.isAnyOpen(of: DataDirectory.path()) else {
                    throw CommandError.openEditing
                }
                let (what, otherwise) = ("remove the account from this device", "the account stays")
                guard Terminal.canAsk else {
                    throw CommandError.unforced(what, otherwise: otherwise)
                }
                let isDeleted = try lockbook.deletionTime() != nil
                try Question.confirm(
                    isDeleted
                        ? "\(what)? it was deleted for good, so what is here may be the last copy; "
                            + "`lockbook export` makes another"
                        : "\(what)? you come back only with your 24 words",
                    otherwise: otherwise
                )
            }
        } catch {
            // The account is gone then as well.
            if case LockbookError.notAllRemoved = error { remove(drafts) }
            throw error
        }
        remove(drafts)
        Terminal.notice("the account is gone from this device")
    }

    private func remove(_ drafts: [Draft]) {
        for draft in drafts { draft.remove() }
    }
}
