package import LockbookEngine

/// What a search tells of documents and places, without their lines.
package struct SearchOutcome {
    /// Paths of the documents that have a line of it.
    package private(set) var matched: [String] = []
    package private(set) var unread: [(path: String, reason: LockbookError)] = []
    /// Why there is nothing to search in where that was to be done.
    package private(set) var nowhere: [LockbookError] = []

    fileprivate mutating func take(_ events: [SearchEvent]) {
        for event in events {
            switch event {
            case .matched(let file, _): matched.append(file.path)
            case .unreadable(let path, let reason): unread.append((path, reason))
            case .noTarget(let error): nowhere.append(error)
            case .name, .lines, .binary: break
            }
        }
    }
}

extension Device {
    package func search(_ words: String, in places: [String] = ["/"]) async throws
        -> SearchOutcome
    {
        var outcome = SearchOutcome()
        try await lockbook.search(SearchQuery(words), in: places.map { FileReference($0) }) {
            outcome.take($0)
        }
        return outcome
    }
}
