import ArgumentParser
import LockbookEngine

struct ShareAccept: ParsableCommand, FollowedBySync {
    static let configuration = CommandConfiguration(
        commandName: "accept",
        abstract: "Put what is offered into your tree",
        discussion: """
            By its id, as `lockbook share pending` shows it, or by its owner and name, as \
            anna/Recipes. Makes a link, which may \
            be renamed and moved like a file; everything below it is the owner's. Without DEST \
            it goes into /, under the owner's name for it. What its owner gives to you for good \
            (`transfer`) is copied instead, in place of the link that you have, and shared with \
            the same accounts. With an invitation's code the link comes with a sync, after the \
            next sync of who invites has let you in; `-` reads the code from standard input, \
            where no other user of the machine sees it.
            """
    )

    @Argument(
        help: ArgumentHelp(
            "The id, or its beginning; the owner and the name; a code; or -.",
            valueName: "offer"
        )
    )
    var id: String

    @Argument(help: "Where the link goes: a folder, or a path.")
    var dest: String?

    func run() throws {
        let lockbook = try Lockbook.open()
        let (id, dest) = (try id == "-" ? read() : id, dest)
        guard !id.isEmpty else {
            throw LockbookError.badInvitation(reason: "there is no code, and no id of an offer")
        }
        guard Lockbook.isInvitation(id) else {
            let file = try asking(lockbook.awaited) { try await lockbook.accept(id: id, to: dest) }
            return try Terminal.afterDone { try Terminal.show(lines: [file.path]) }
        }
        let accepted = try asking(lockbook.awaited) {
            try await lockbook.acceptInvitation(id, to: dest)
        }
        Terminal.notice(
            "\(accepted.from) invites you to \(accepted.mode.rawValue)"
                + (accepted.owner.map { " what \($0) shares" } ?? "")
                + "; you are let in by the next sync "
                + "of \(accepted.from), which has to come before "
                + localTime(milliseconds: accepted.expires)
                + ", and `lockbook sync` here brings it then"
        )
    }

    private func read() throws -> String {
        if Terminal.inputIsTerminal, Terminal.mayAsk { Terminal.raw("code: ") }
        let line = try StandardInput.line() ?? ""
        return line.split(whereSeparator: \.isWhitespace).joined()
    }
}
