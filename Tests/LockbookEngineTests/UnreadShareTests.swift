import Foundation
import LockbookTestSupport
import Testing

@testable import LockbookEngine

/// What others share, and this device cannot open any more.
struct UnreadShareTests: SharingStories {
    let people: Sharers

    init() throws { people = try Sharers() }

    /// Bob's desk with a note of his own, and a link to what does not open.
    private func desk() async throws -> Device {
        let (_, desk) = try await shared()
        try desk.write("/own.md", "plan #tag\n")
        let owner = try #require(try desk.lockbook.store.read { try $0.followed() }.first)
        let folder = StoreContext.directory(of: owner, in: desk.lockbook.account)
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
            try FileManager.default.removeItem(atPath: "\(folder)/\(name)")
        }
        let nonsense = Data(repeating: 0x41, count: 8_192)
        try nonsense.write(to: URL(fileURLWithPath: "\(folder)/\(LocalStore.fileName)"))
        return desk
    }

    @Test func `a search says what it cannot look into, and looks into the rest`() async throws {
        let desk = try await desk()
        var (matched, unread): ([String], [String]) = ([], [])
        try await desk.lockbook.search(SearchQuery("plan"), in: [.path("/")]) { events in
            for event in events {
                if case .matched(let file, _) = event { matched.append(file.path) }
                if case .unreadable(let path, _) = event { unread.append(path) }
            }
        }
        #expect(matched == ["/own.md"])
        #expect(unread == ["/team"])
    }

    @Test func `a search of that alone finds not nothing, but fails`() async throws {
        let desk = try await desk()
        await #expect(throws: LockbookError.self) {
            try await desk.lockbook.search(SearchQuery("plan"), in: [.path("/team")]) { _ in }
        }
    }

    @Test func `documents with a tag are told without it, and that it was not read`() async throws {
        let desk = try await desk()
        let tagged = try desk.lockbook.documents(tagged: "tag")
        #expect(tagged.found.map(\.path) == ["/own.md"])
        #expect(tagged.unread.map { $0.path } == ["/team"])
    }
}
