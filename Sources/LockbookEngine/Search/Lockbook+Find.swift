extension Lockbook {
    /// Files whose paths fit a pattern, the best first; of equal ones the shorter path.
    /// - Parameters:
    ///   - marks: as of `list`.
    ///   - unread: gets the links behind which cannot be looked, and why.
    public func find(
        _ pattern: FuzzyPattern,
        marks: Bool = true,
        unread: ((path: String, reason: LockbookError)) -> Void = { _ in }
    ) throws -> [FileInfo] {
        let files = try list(.path("/"), recursive: true, marks: marks, unread: unread)
        let scores = try concurrentMap(files) { pattern.score($0.path) }
        let found = zip(files, scores).compactMap { file, score in
            score.map { (file: file, score: $0, length: file.path.utf8.count) }
        }
        return found.sorted {
            ($1.score, $0.length, $0.file.path) < ($0.score, $1.length, $1.file.path)
        }.map(\.file)
    }

    /// The documents that were changed last, the newest first.
    ///
    /// One that somebody shares by itself has the path of the link to it.
    /// - Parameters:
    ///   - marks: as of `list`.
    ///   - unread: gets the links behind which cannot be looked, and why.
    public func recent(
        _ count: Int,
        since time: Int64? = nil,
        marks: Bool = true,
        unread: ((path: String, reason: LockbookError)) -> Void = { _ in }
    ) throws -> [FileInfo] {
        let files = try list(.path("/"), recursive: true, marks: marks, unread: unread)
        let documents = files.filter { $0.type == .document }
        let shared = try sharedDocuments(among: files).values
        // What another link shows already is not shown twice.
        let known = shared.isEmpty ? [] : Set(documents.map(\.id))
        let all = documents + shared.filter { !known.contains($0.id) }
        let sorted = all.filter { $0.modified >= time ?? .min }
            .sorted { ($1.modified, $0.path) < ($0.modified, $1.path) }
        return Array(sorted.prefix(count))
    }
}
