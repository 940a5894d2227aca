import GRDB
import LockbookCrypto
import LockbookModel
import LockbookTestSupport
import Testing

@testable import LockbookEngine

/// A share that ends and comes back many times while a member is away.
struct OftenTakenBackTests: SharingStories {
    let people: Sharers

    init() throws { people = try Sharers() }

    @Test func `does not have all that is shared besides looked through each time`() async throws {
        let count = 600
        let (laptop, desk) = try await shared(holding: (1...count).map { "\($0).md" })
        try laptop.write("/small.md", "small")
        try await laptop.sync()
        try await share("/small.md", .read, laptop, desk)
        var asked: [Int] = []
        for times in [1, 5] {
            for _ in 0..<times {
                try laptop.lockbook.setShare(.path("/small.md"), of: "bob", to: nil)
                try await laptop.sync()
                _ = try await laptop.lockbook.share(.path("/small.md"), with: "bob", mode: .read)
                try await laptop.sync()
            }
            asked.append(try await lookups(in: desk))
            try await desk.sync()
        }
        #expect(asked[1] - asked[0] < 2 * count)
        #expect(try await desk.text("/small.md") == "small")
    }

    @Test func `is around it what was around it the last time`() {
        var overlay = PageOverlay()
        let (file, scope, outer) = (
            FileID(random: .system), FileID(random: .system), FileID(random: .system)
        )
        overlay.lapse(file, of: scope, around: [scope])
        overlay.takeBack(file)
        overlay.lapse(file, of: scope, around: [scope, outer])
        #expect(overlay.lapsedScopes[scope]?.around == [scope, outer])
    }

    @Test func `nothing is kept in mind of what came back whole`() async throws {
        let (laptop, _) = try await shared()
        let store = laptop.lockbook.store
        try store.read { tree in
            let random = tree.environment.random
            let (file, scope) = (FileID(random: random), FileID(random: random))
            var check = PageCheck(
                tree: tree,
                context: store.context,
                checked: CheckedEntries(after: []),
                records: [:]
            )
            check.checked.overlay.lapse(file, of: scope, around: [scope])
            check.checked.overlay.takeBack(file)
            let gone = try check.returned([scope])
            #expect(gone.isEmpty)
            #expect(check.checked.overlay.lapsedScopes.isEmpty)
        }
    }

    /// What a device asks its store of the only log that it follows, while it reads what is new there.
    private func lookups(in device: Device) async throws -> Int {
        var asked = 0
        _ = try await device.lockbook.withServer { sync in
            _ = try sync.followedPositions()
            let store = try #require(sync.others.first).store
            store.queue.inDatabase { db in db.trace { _ in asked += 1 } }
            defer { store.queue.inDatabase { db in db.trace() } }
            var inner = sync.within(store)
            try await inner.pull()
        }
        return asked
    }
}
