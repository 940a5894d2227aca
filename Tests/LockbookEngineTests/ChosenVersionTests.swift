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

    @Test func `a version here does not pass for one at the server that begins alike`()
        async throws
    {
        let (laptop, phone) = try await alice.twoDevices(holding: ["a.md": "0"])
        for number in 1...16 {
            try phone.write("/a.md", "\(number)")
            try await phone.sync()
        }
        try await laptop.sync()
        let told = try await laptop.lockbook.history(.path("/a.md")).versions.dropFirst()
        let known = Set(told.map { String($0.version.prefix(4)) })
        // Who has time makes as many of the digits that a list shows to be the same.
        let chosen = try laptop.lockbook.store.write { tree -> String in
            var file = try tree.file(try tree.find(.path("/a.md")))
            file.isExecutable = true
            while true {
                try tree.put(file)
                let row = try #require(try tree.row(file.id))
                let name = try FileRecord(try #require(row.local)).hash.description
                if known.contains(String(name.prefix(4))) { return String(name.prefix(16)) }
            }
        }
        func read(_ version: String) async throws -> String {
            var bytes: [UInt8] = []
            try await laptop.lockbook.read(.path("/a.md"), version: version) { bytes += $0 }
            return String(decoding: bytes, as: UTF8.self)
        }

        await #expect(throws: LockbookError.self) { try await read(String(chosen.prefix(4))) }
        #expect(try await read(chosen) == "16")
        // Without the server there is but the one that is here.
        laptop.faults.next("/v1/history", .lost)
        #expect(try await read(String(chosen.prefix(4))) == "16")
    }
}
