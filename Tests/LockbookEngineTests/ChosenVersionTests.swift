import LockbookCrypto
import LockbookModel
import LockbookTestSupport
import Testing

@testable import LockbookEngine

/// What a writer can make another version be called, so that it passes for one that is there.
struct ChosenVersionTests {
    private let alice: Person

    init() throws {
        alice = Person("alice", on: try TestServer())
    }

    @Test func `own words are not those of others that have the id of their version`()
        async throws
    {
        let laptop = try await alice.firstDevice()
        try laptop.write("/a.md", "words of others")
        try laptop.lockbook.store.write { tree in
            let file = try tree.file(try tree.find(.path("/a.md")))
            try tree.noteOthers([file.id])
            let words = try tree.wordsOfOthers()
            #expect(tree.isOfOthers(file, in: words))
            var own = file
            own.content?.blob = BlobName(of: Array("own words".utf8))
            #expect(own.content?.version == file.content?.version)
            #expect(!tree.isOfOthers(own, in: words))
        }
    }
}
