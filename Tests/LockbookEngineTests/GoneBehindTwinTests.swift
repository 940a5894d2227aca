import LockbookEngine
import LockbookTestSupport
import Testing

/// What a copy of a member's data folder holds as new, and has no place with its owner any more: the
/// other copy pushed it, and the owner took it away.
struct GoneBehindTwinTests: SharingStories {
    let people: Sharers

    init() throws {
        people = try Sharers()
    }

    enum End: CaseIterable { case purged, movedOut, purgedAlone, movedOutAlone }

    /// - Parameter leaps: whether the copy learns of it from a checkpoint, which says nothing of what is gone.
    @Test(arguments: End.allCases, [false, true])
    func `what was written is kept, and nothing waits for ever`(_ end: End, leaps: Bool)
        async throws
    {
        try await run(end, leaps, isDeleted: false)
    }

    @Test(arguments: End.allCases, [false, true])
    func `so it is where the folder is deleted besides`(_ end: End, leaps: Bool) async throws {
        try await run(end, leaps, isDeleted: true)
    }

    private func run(_ end: End, _ leaps: Bool, isDeleted: Bool) async throws {
        let (laptop, desk) = try await shared()
        try desk.write("/team/in/new.md", "new")
        _ = try desk.lockbook.create(path: "/team/in/empty.md")
        _ = try desk.lockbook.create(path: "/team/empty.md")
        let twin = try desk.twin()
        try await desk.sync()
        try await laptop.sync()
        switch end {
        case .purged: _ = try laptop.lockbook.purge([.path("/team/in"), .path("/team/empty.md")])
        case .movedOut: try laptop.move("/team/in", to: "/")
        case .purgedAlone:
            let paths = ["/team/in/new.md", "/team/in/empty.md", "/team/empty.md"]
            _ = try laptop.lockbook.purge(paths.map { .path($0) })
        case .movedOutAlone:
            for path in ["/team/in/new.md", "/team/in/empty.md"] { try laptop.move(path, to: "/") }
        }
        try await laptop.sync()
        if isDeleted { try laptop.delete("/team") }
        try await laptop.sync()
        if leaps {
            let signing = try laptop.again(signingAfter: 1)
            try signing.write("/signed.md", "signed")
            try await signing.sync()
            try await people.server.collect(afterDays: 91)
        }

        try await twin.sync()
        try await twin.sync()
        let changes = try twin.lockbook.status().changes
        let isKnownElsewhere = leaps && (end == .movedOut || end == .movedOutAlone)
        if isKnownElsewhere, !isDeleted {
            // It stays where it was written, and is told of as what the owner's log will not have.
            #expect(changes.contains { $0.refused != nil })
            #expect(try await twin.text("/team/in/new.md") == "new")
        } else {
            #expect(changes == [])
            let kept = try twin.paths() + twin.lockbook.trash().map(\.path)
            // What is deleted with its folder is in the trash with it.
            #expect(kept.contains { $0.hasSuffix("new.md") } || isDeleted && kept.contains("/team"))
        }
        #expect(try twin.lockbook.validate() == [])
    }
}
