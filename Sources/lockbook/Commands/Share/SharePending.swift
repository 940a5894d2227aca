import ArgumentParser
import LockbookEngine

struct SharePending: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pending",
        abstract: "Show what others offer",
        discussion: """
            One line for each: the id, the account, the mode and the name. `lockbook list id:ID` and \
            `lockbook cat id:ID/a.md` read it before it is accepted. In place of the mode stands \
            `transfer` where the owner gives it to you for good.
            """
    )

    @Flag(help: "Show everything as JSON.")
    var json = false

    func run() throws {
        let lockbook = try Lockbook.open()
        try PathOutput.show(lockbook.offers(unread:)) { offers in
            try show(offers)
            Terminal.warn(
                lookAlikesAmong: offers.filter { !$0.verified }.map(\.from),
                in: lockbook
            )
        }
    }

    private func show(_ offers: [ShareOffer]) throws {
        if json { return try Terminal.show(json: offers) }
        try Terminal.show(
            lines: offers.map { offer in
                [
                    offer.id, offer.from, offer.transfer ? "transfer" : offer.mode.rawValue,
                    offer.name + (offer.type == .folder ? "/" : ""),
                ].joined(separator: "  ")
            }
        )
    }
}
