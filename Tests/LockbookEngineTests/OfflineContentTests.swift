import LockbookModel
import LockbookTestSupport
import Testing

@testable import LockbookEngine

/// Contents that are on the server alone, when it cannot be reached.
struct OfflineContentTests {
    /// A device that holds two notes without their contents, and whose next request is lost.
    private func device() async throws -> Device {
        let laptop = try await Person("alice", on: try TestServer()).firstDevice()
        for path in ["/a.md", "/b.md"] { try laptop.write(path, "note") }
        try await laptop.sync()
        try laptop.lockbook.store.write { tree in
            for path in ["/a.md", "/b.md"] {
                let row = try tree.find(.path(path))
                let content = try #require(try tree.file(row).content)
                try tree.forgetBytes(of: content.blob)
                try tree.markAbsent(row.id, blob: content.blob, size: content.blobSize)
            }
        }
        _ = laptop.faults.takeRequests()
        laptop.faults.next("/v1/blobs", .lost)
        return laptop
    }

    @Test func `who asks until it cannot be reached waits for it once`() async throws {
        let laptop = try await device()
        laptop.lockbook.askUntilOffline()
        for path in ["/a.md", "/b.md"] {
            await #expect(throws: LockbookError.contentNotHere(path: path)) {
                try await laptop.text(path)
            }
        }
        #expect(laptop.faults.takeRequests() == ["/v1/blobs"])
    }

    /// As where both found that it is not here, and one waited for the other.
    @Test func `what another process brought is not asked for once more`() async throws {
        let laptop = try await device()
        let absent = try laptop.lockbook.store.read { tree in
            try #require(try tree.agreedContent(of: tree.find(.path("/a.md"))))
        }
        await #expect(throws: LockbookError.self) { try await laptop.lockbook.fetch(absent) }
        _ = laptop.faults.takeRequests()
        try await laptop.again().lockbook.fetch(absent)
        try await laptop.lockbook.fetch(absent)
        #expect(laptop.faults.takeRequests() == [])
        #expect(try await laptop.text("/a.md") == "note")
    }

    @Test func `else it is asked for each`() async throws {
        let laptop = try await device()
        await #expect(throws: LockbookError.contentNotHere(path: "/a.md")) {
            try await laptop.text("/a.md")
        }
        #expect(try await laptop.text("/b.md") == "note")
        #expect(laptop.faults.takeRequests() == ["/v1/blobs", "/v1/blobs"])
    }
}

/// The same of what another account gives away.
struct OfflineTransferTests: SharingStories {
    let people: Sharers

    init() throws {
        people = try Sharers()
    }

    @Test(arguments: [false, true])
    func `what cannot be taken over is named as who would take it knows it`(isLeft: Bool)
        async throws
    {
        let (laptop, desk) = try await shared()
        try await give(laptop, desk)
        let top = try #require(try desk.lockbook.offers().first).id
        let plan = try #require(
            FileID(hex: try desk.lockbook.info(.path("/team/plan.md")).id)
        )
        let owner = try #require(try desk.lockbook.store.read { try $0.followed() }.first)
        let other = try #require(try desk.lockbook.shared(by: owner))
        try other.store.write { tree in
            let row = try #require(try tree.row(plan))
            let content = try #require(try tree.file(row).content)
            try tree.forgetBytes(of: content.blob)
            try tree.markAbsent(row.id, blob: content.blob, size: content.blobSize)
        }
        if isLeft { try desk.lockbook.leaveShare(.path("/team")) }
        desk.faults.next("/v1/blobs", .lost)
        let path = isLeft ? "id:\(top)/plan.md" : "/team/plan.md"
        await #expect(throws: LockbookError.contentNotHere(path: path)) {
            _ = try await desk.lockbook.accept(id: top)
        }
        _ = try await desk.lockbook.accept(id: top)
        #expect(try await desk.text("/team/plan.md") == "plan.md")
    }

    @Test func `what is agreed stays here below a newer text that was not sent`() async throws {
        let alice = Person("alice", on: try TestServer())
        // For `undo` nothing is kept.
        let laptop = try await alice.firstDevice(holding: ["/a.md": "one"])
        let forgetful = try laptop.again(undoing: 0)
        try forgetful.move("/a.md", to: "/b.md")
        forgetful.faults.next("/v1/push", .lost)
        await #expect(throws: LockbookError.self) { try await forgetful.sync() }
        try forgetful.write("/b.md", "two")
        try forgetful.lockbook.store.write { tree in
            #expect(try tree.acceptPending().count == 1)
            let agreed = try tree.base(tree.find(.path("/b.md")))?.content
            #expect(try tree.hasBlob(try #require(agreed).blob))
        }
    }
}
