import ArgumentParser
import LockbookEngine

struct ShareInvite: ParsableCommand, FollowedBySync {
    static let configuration = CommandConfiguration(
        commandName: "invite",
        abstract: "Make a code that lets somebody in who has no account yet",
        discussion: """
            Give the code to one person, by a way that nobody else reads: whoever uses it first is let \
            in, once. The other side makes an account on the same server and types \
            `lockbook share accept CODE`; your next sync then shares the file, and theirs shows it. \
            What another account shares you invite to as an admin of it.
            """
    )

    @Argument(help: "The document or folder.")
    var target: String

    @Option(help: "What the other account may do: read, write or admin.")
    var mode = ShareModeWord.read

    @Option(help: "How long the code can be used: 30m, 12h, 7d or 4w.")
    var expires = TimeSpan(days: 7)

    @Flag(help: "Show the invitation as JSON.")
    var json = false

    func validate() throws {
        guard Lockbook.invitationSpan.contains(expires.milliseconds) else {
            throw ValidationError("An invitation lasts from a minute to 365 days")
        }
    }

    func run() throws {
        let lockbook = try Lockbook.open()
        let (target, mode, span) = (target, mode.right, expires)
        let invitation = try asking(lockbook.awaited) {
            try await lockbook.invite(
                FileReference(target),
                mode: mode,
                lasting: span.milliseconds
            )
        }
        let words = "\(commandWord(invitation.path)) \(invitation.id.prefix(8))"
        let revoking = "`lockbook share revoke \(words)`"
        let hint = "giving the command again makes a second code; \(revoking) takes the first back"
        try Terminal.afterDone(hint: hint) {
            if json { return try Terminal.show(json: invitation) }
            try Terminal.show(lines: [invitation.code])
        }
        guard !json else { return }
        let purpose = mode.purpose + (mode == .admin ? " of" : "")
        Terminal.notice(
            "for one account, \(purpose) \(invitation.path), until "
                + localTime(milliseconds: invitation.expires)
                + "; \(revoking) takes it back"
        )
        Terminal.notice(
            deleted: invitation.deleted,
            in: invitation.path,
            readBy: "who uses the code",
            ofAnother: invitation.owner == nil ? nil : invitation.file
        )
    }
}
