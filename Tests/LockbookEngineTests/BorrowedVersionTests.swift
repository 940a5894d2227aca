import LockbookModel
import LockbookTestSupport
import Testing

@testable import LockbookEngine

/// A version of which the server alone has the content.
struct BorrowedVersionTests {
    private let alice: Person

    init() throws {
        alice = Person("alice", on: try TestServer())
    }

    @Test func `what is fetched to read it goes again, unless it is brought back meanwhile`()
        async throws
    {
        let laptop = try await alice.firstDevice(holding: ["/a.md": noise(2_000_000, seed: 1)])
        let blob = try #require(
            try laptop.lockbook.store.read { tree in
                try tree.file(try tree.find(.path("/a.md"))).content?.blob
            }
        )
        try laptop.write("/a.md", "small")
        try await laptop.sync()
        let phone = try await alice.device(named: "phone", like: laptop)
        let history = try await phone.lockbook.history(.path("/a.md"))
        let version = try #require(history.versions.last).version
        var wasThere = false
        try await phone.lockbook.read(.path("/a.md"), version: version) { _ in
            wasThere = phone.lockbook.store.blobs.has(blob)
        }
        #expect(wasThere && !phone.lockbook.store.blobs.has(blob))

        let other = try phone.again()
        try await phone.lockbook.read(.path("/a.md"), version: version) { _ in
            try other.lockbook.store.write { try $0.addBlobFile(blob) }
        }
        #expect(try other.lockbook.store.read { try $0.canRead(blob) })
    }
}
