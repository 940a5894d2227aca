import LockbookEngine
import LockbookTestSupport
import Testing

/// Offers that are accepted and rejected by their owners and names.
struct OfferNameTests: SharingStories {
    let people: Sharers

    init() throws { people = try Sharers() }

    /// Offers bob these folders of somebody's, and his desk hears of it.
    private func offer(_ folders: [String], _ laptop: Device, _ desk: Device) async throws {
        for folder in folders {
            try laptop.write("/\(folder)/note.md", folder)
            _ = try await laptop.lockbook.share(.path("/\(folder)"), with: "bob", mode: .read)
        }
        try await laptop.sync()
        try await desk.sync()
    }

    private func devices() async throws -> (laptop: Device, tablet: Device, desk: Device) {
        let laptop = try await ada.firstDevice()
        let tablet = try await carol.firstDevice(named: "tablet")
        return (laptop, tablet, try await bob.firstDevice(named: "desk"))
    }

    @Test func `an owner and a name mean one, and a name alone means none`()
        async throws
    {
        let (laptop, _, desk) = try await devices()
        try await offer(["team", "two words", "ada:plan", "fadedfaded"], laptop, desk)
        #expect(try desk.lockbook.acceptShare(id: "ada/team").path == "/team")
        #expect(try desk.lockbook.acceptShare(id: "ada/two words/").path == "/two words")
        #expect(try desk.lockbook.acceptShare(id: "ada/ada:plan").path == "/ada:plan")
        // The beginning of an id, but for what stands in front.
        #expect(throws: LockbookError.noOffer(id: "fadedfaded")) {
            try desk.lockbook.acceptShare(id: "fadedfaded")
        }
        #expect(try desk.lockbook.acceptShare(id: "ada/fadedfaded").path == "/fadedfaded")
        #expect(throws: LockbookError.acceptedAlready(path: "/team")) {
            try desk.lockbook.acceptShare(id: "ada/team")
        }
        for word in ["carol/team", "team", "ada/Team", "ada/", "/team", "ada/team/note.md", ""] {
            #expect(throws: LockbookError.noOffer(id: word)) {
                try desk.lockbook.acceptShare(id: word)
            }
        }
    }

    @Test func `where several have it, their ids are told`() async throws {
        let (laptop, tablet, desk) = try await devices()
        try await offer(["team", "old/team"], laptop, desk)
        try await offer(["team"], tablet, desk)
        let offers = try desk.lockbook.offers()
        let matches = offers.filter { $0.from == "ada" }.map { "ada:\($0.id)" }.sorted()
        #expect(matches.count == 2)
        let failure = LockbookError.ambiguousOffer(name: "ada/team", matches: matches)
        #expect(throws: failure) { try desk.lockbook.acceptShare(id: "ada/team") }
        #expect(throws: failure) { try desk.lockbook.rejectShare(id: "ada/team") }
        try desk.lockbook.rejectShare(id: "carol/team")
        #expect(try desk.lockbook.offers().map(\.from) == ["ada", "ada"])
        // What was rejected goes by its id alone.
        #expect(throws: LockbookError.noOffer(id: "carol/team")) {
            try desk.lockbook.acceptShare(id: "carol/team")
        }
        #expect(try desk.lockbook.acceptShare(id: matches[0]).path == "/team")
        let link = try desk.lockbook.acceptShare(id: try #require(matches.last))
        #expect(link.path == "/team-1")
    }

    @Test func `no name stands for the id of another offer, whether that is there or not`()
        async throws
    {
        let (laptop, tablet, desk) = try await devices()
        try await offer(["team"], laptop, desk)
        let id = try #require(try desk.lockbook.offers().first).id
        let start = String(id.prefix(12))
        let names = [id, start, "ada:\(id)", "ada:\(start)", "id:\(id)"]
        try await offer(names, tablet, desk)
        #expect(try desk.lockbook.offers().count == 1 + names.count)
        try laptop.lockbook.setShare(.path("/team"), of: "bob", to: nil)
        try await laptop.sync()
        try await desk.sync()
        #expect(try desk.lockbook.offers().map(\.from) == names.map { _ in "carol" })
        for name in names {
            // Of an id, what is not there is told without the word in front.
            let told = name.hasPrefix("id:") ? String(name.dropFirst(3)) : name
            #expect(throws: LockbookError.noOffer(id: told)) {
                try desk.lockbook.acceptShare(id: name)
            }
        }
        // Behind its owner each is a name.
        for name in names {
            #expect(try desk.lockbook.acceptShare(id: "carol/\(name)").path == "/\(name)")
        }
    }
}
