import LockbookCrypto
import LockbookModel
import LockbookTestSupport
import Testing

@testable import LockbookEngine

/// What is found out once.
struct OpenedBytesTests: SharingStories {
    let people: Sharers

    init() throws { people = try Sharers() }

    private struct DoesNotOpen: Error {}

    @Test func `bytes are opened once, and what does not open is tried again`() throws {
        let opened = OpenedBytes<Int>()
        var asked: [[UInt8]] = []
        func value(of bytes: [UInt8]) throws -> Int {
            try opened.value(of: bytes) { bytes in
                asked.append(bytes)
                guard let first = bytes.first else { throw DoesNotOpen() }
                return Int(first)
            }
        }
        for _ in 0..<2 {
            #expect(try value(of: [1]) == 1)
            #expect(try value(of: [2, 0]) == 2)
            #expect(throws: DoesNotOpen.self) { try value(of: []) }
        }
        #expect(asked == [[1], [2, 0], [], []])
    }

    @Test func `what one transaction found out of keys the next one knows, in every store`()
        async throws
    {
        let (laptop, desk) = try await shared()
        let owner = laptop.lockbook.store.context.owner
        let shared = try #require(try desk.lockbook.shared(by: owner)).store
        #expect(shared.context.openedKeys === desk.lockbook.store.context.openedKeys)
        let opened = shared.context.openedKeys
        let (grant, wrap, certificate) = try shared.read { tree in
            let file = try #require(try tree.held().keys.first)
            let row = try #require(try tree.row(file))
            _ = try tree.file(row)
            let epoch = try tree.epoch(of: row)
            return (
                try #require(try tree.allGrants().first),
                try #require(try tree.wrap(of: file, epoch: epoch)),
                try #require(try tree.contact(owner))
            )
        }
        func isKnown<Value>(_ bytes: [UInt8], _ opened: OpenedBytes<Value>) -> Bool {
            (try? opened.value(of: bytes) { _ in throw DoesNotOpen() }) != nil
        }
        #expect(isKnown(grant.bytes, opened.grants))
        #expect(isKnown(wrap.bytes, opened.wrapped))
        #expect(isKnown(certificate.bytes, opened.certificates))
        #expect(!isKnown([0], opened.grants))
    }
}
