extension Lockbook {
    /// Files whose paths fit a pattern, the best first; of equal ones the shorter path.
    public func find(_ pattern: FuzzyPattern) throws -> [FileInfo] {
        let files = try list(.path("/"), recursive: true)
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
    public func recent(_ count: Int, since time: Int64? = nil) throws -> [FileInfo] {
        let files = try list(.path("/"), recursive: true)
        let shared = try sharedDocuments(among: files).values
        let documents = files.filter { $0.type == .document } + shared
        let sorted = documents.filter { $0.modified >= time ?? .min }
            .sorted { ($1.modified, $0.path) < ($0.modified, $1.path) }
        return Array(sorted.prefix(count))
    }
}
