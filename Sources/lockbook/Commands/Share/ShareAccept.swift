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
            next sync of who invites has let you in; `-` reads offers and codes from standard \
            input, one per line, where no other user of the machine sees them; on a terminal one \
            is asked for, and what is typed stays hidden.
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
        guard id == "-" else { return try accept(id, with: Lockbook.open()) }
        guard Terminal.inputIsTerminal else { return try acceptLines(with: Lockbook.open()) }
        // Before anything else: where signals are held back there is one thread alone.
        let line = try Secret.line(asking: "code: ") ?? ""
        try accept(Self.offer(line), with: Lockbook.open())
    }

    /// One offer for each line, as it comes.
    private func acceptLines(with lockbook: Lockbook) throws {
        var (isAny, failed) = (false, Status?.none)
        while let line = try StandardInput.line() {
            let offer = Self.offer(line)
            if !offer.isEmpty {
                isAny = true
                do {
                    try forEach([offer]) { try accept($0, with: lockbook) }
                } catch CommandError.told(let status) {
                    failed = failed ?? status
                }
            }
        }
        // What is none says so.
        if !isAny { try accept("", with: lockbook) }
        if let failed { throw CommandError.told(failed) }
    }

    private func accept(_ offer: String, with lockbook: Lockbook) throws {
        let dest = dest
        guard !offer.isEmpty else {
            throw LockbookError.badInvitation(reason: "there is no code, and no id of an offer")
        }
        guard Lockbook.isInvitation(offer) else {
            // Asked before: what was taken over is no offer any more.
            let alike = try? lockbook.lookAlike(ofOffer: offer)
            let file = try asking(lockbook.awaited) {
                try await lockbook.accept(id: offer, to: dest)
            }
            if let alike { Terminal.warn(lookAlike: alike.owner, of: alike.known) }
            return try Terminal.afterDone(hint: "giving the command again says where it is") {
                try Terminal.show(lines: [file.path])
            }
        }
        let accepted = try asking(lockbook.awaited) {
            try await lockbook.acceptInvitation(offer, to: dest)
        }
        Terminal.notice(
            "\(accepted.from) invites you \(accepted.mode.purpose)"
                + (accepted.owner.map { " what \($0) shares" } ?? "")
                + "; " + Self.next(accepted)
        )
        Terminal.warn(
            lookAlikesAmong: [accepted.from] + [accepted.owner].compactMap(\.self),
            in: lockbook
        )
    }

    private static func next(_ accepted: AcceptedInvitation) -> String {
        guard !accepted.isLetIn else { return "you are let in, and `lockbook sync` brings it" }
        return "you are let in by the next sync of \(accepted.from), which has to come before "
            + localTime(milliseconds: accepted.expires)
            + ", and `lockbook sync` here brings it then"
    }

    /// A name has blanks of its own; in an id or a code they are from where it was copied.
    private static func offer(_ line: String) -> String {
        let words = line.split(whereSeparator: \.isWhitespace)
        let isName = !Lockbook.isInvitation(line) && !Lockbook.isOfferID(line)
        guard isName, let first = words.first, let last = words.last else { return words.joined() }
        return String(line[first.startIndex..<last.endIndex])
    }
}
