import Foundation
import LockbookAPI
import LockbookCrypto
import LockbookModel
import Testing

extension SharedCheckpointTests {
    /// Of the files of a page none may be his, and a page with nothing in it would be a lie.
    @Test func `small pages hold something for who sees little`() async throws {
        try await send(states())
        var items: [Lockbook_V1_CheckpointItem] = []
        var pages = 0
        var cursor: Lockbook_V1_CheckpointCursor?
        while true {
            let page = try await eve.pull(
                after: nil,
                cursor: cursor,
                from: server,
                log: ada.account,
                pageByteCount: 1
            ).checkpoint
            #expect(page.complete || !page.headers.isEmpty || !page.items.isEmpty)
            items += page.items
            pages += 1
            cursor = page.next
            if page.complete || pages > 10 { break }
        }
        #expect(items.map { Array($0.file) } == [sub.id.bytes])
    }
}
