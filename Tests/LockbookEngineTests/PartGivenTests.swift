import LockbookEngine
import LockbookTestSupport
import Testing

/// A part of a share, given to somebody from whom the whole was taken: he reads of both in one sync.
struct PartGivenTests: SharingStories {
    let people: Sharers

    init() throws { people = try Sharers() }

    /// Takes `/team` back, does something to it, and gives bob `/team/deep` alone.
    private func giveDeep(_ laptop: Device, after change: () throws -> Void = {}) async throws {
        try laptop.lockbook.setShare(.path("/team"), of: "bob", to: nil)
        try await laptop.sync()
        try change()
        try await laptop.sync()
        _ = try await laptop.lockbook.share(.path("/team/deep"), with: "bob", mode: .write)
        try await laptop.sync()
    }

    @Test(arguments: [false, true], [false, true])
    func `what moved out of the part before is not seen in it`(
        isFolder: Bool,
        isWritten: Bool
    ) async throws {
        let (laptop, desk) = try await shared(holding: ["deep/keep.md", "deep/x/y.md"])
        if isWritten { try desk.write("/team/deep/x/y.md", "bob's words") }
        try await giveDeep(laptop) {
            try laptop.move(isFolder ? "/team/deep/x" : "/team/deep/x/y.md", to: "/")
        }

        try await desk.sync()
        let offer = try #require(try desk.lockbook.offers().first)
        _ = try desk.lockbook.acceptShare(id: offer.id)
        #expect(try desk.lockbook.validate() == [])
        #expect(try await desk.text("/deep/keep.md") == "deep/keep.md")
        #expect(
            try desk.paths().filter { $0.hasPrefix("/deep") }
                == ["/deep", "/deep/keep.md"] + (isFolder ? [] : ["/deep/x/"])
        )
        if isWritten {
            _ = try desk.lockbook.restore([FileReference("/deep/\(isFolder ? "" : "x/")y.md")])
            let words = try #require(try desk.paths().first { $0.hasSuffix("y.md") })
            #expect(try await desk.text(words) == "bob's words")
        }
        try await converge(bob, desk)
        try await converge(ada, laptop)
    }

    @Test(arguments: [false, true])
    func `what a member moved into the part stays with its owner, and his words with him`(
        isWritten: Bool
    ) async throws {
        let (laptop, desk) = try await shared(holding: ["deep/keep.md", "z/a.md"])
        try desk.move("/team/z/a.md", to: "/team/deep/")
        if isWritten { try desk.write("/team/deep/a.md", "bob's words") }
        try await giveDeep(laptop) { try laptop.write("/team/deep/a.md", "another") }

        let report = try await desk.sync()
        #expect(!report.notes.contains { $0.kind == .notPushed })
        let offer = try #require(try desk.lockbook.offers().first)
        _ = try desk.lockbook.acceptShare(id: offer.id)
        #expect(
            try desk.paths()
                == (isWritten ? ["/a-1.md"] : []) + ["/deep", "/deep/a.md", "/deep/keep.md"]
        )
        #expect(try await desk.text("/deep/a.md") == "another")
        if isWritten {
            #expect(try await desk.text("/a-1.md") == "bob's words")
        } else {
            #expect(report.notes.contains { $0.kind == .undone })
        }
        #expect(try desk.lockbook.validate() == [])
        try await converge(bob, desk)
        try await converge(ada, laptop)
        #expect(try await laptop.text("/team/z/a.md") == "z/a.md")
    }
}
