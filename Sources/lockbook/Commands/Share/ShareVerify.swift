import ArgumentParser
import LockbookEngine

struct ShareVerify: ParsableCommand, FollowedBySync {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Make sure who an account is",
        discussion: """
            Shows a number that is the same on both sides when no server stands between you. Compare \
            it by another way than this server, then say so.
            """
    )

    @Argument(help: "The other account's name.")
    var user: String

    @Flag(help: "Note that the numbers are the same; do not ask.")
    var confirm = false

    func run() throws {
        let lockbook = try Lockbook.open()
        let (user, confirm) = (user, confirm)
        let line = ProgressLine(waitingFor: { lockbook.awaited })
        defer { line.clear() }
        let isVerified = try waiting(line) {
            try await lockbook.verify(user) { number in
                line.clear()
                try Terminal.show(lines: [number])
                guard !confirm else { return true }
                guard Terminal.inputIsTerminal, Terminal.mayAsk else { return false }
                try Question.confirm(
                    "does \(user) see the same number?",
                    otherwise: "\(user) was not verified"
                )
                return true
            }
        }
        if isVerified {
            Terminal.notice(
                "\(user) is verified, on all of your devices from the next sync on",
                bySyncOf: lockbook
            )
        }
    }
}
