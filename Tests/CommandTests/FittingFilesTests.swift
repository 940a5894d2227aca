import Testing

@testable import LockbookEngine
@testable import lockbook

/// What `edit` without a target lets choose from, while somebody types.
@Suite struct FittingFilesTests {
    /// All that fit, in order, as `find` puts them.
    private func found(_ query: String, among files: [FileInfo]) -> [String] {
        let pattern = FuzzyPattern(query)
        return files.compactMap { file in pattern.score(file.path).map { (file.path, $0) } }
            .sorted { ($1.1, $0.0.utf8.count, $0.0) < ($0.1, $1.0.utf8.count, $1.0) }
            .map(\.0)
    }

    /// Not in the order of their names, with equal scores and without.
    private var many: [FileInfo] {
        ((0..<300).map { "/d\($0 * 7 % 5)/note\($0 * 37 % 300).md" } + ["/on.md"])
            .map { FileInfo.listed($0) }
    }

    @Test func `of many that fit only those are put in order that are looked at`() {
        var fitting = FittingFiles(many)
        fitting.search("n", rows: 10)
        let all = found("n", among: many)
        #expect(fitting.count == 301)
        let first = fitting.files(at: 0..<10).map(\.path)
        #expect(first == Array(all[..<10]))
        #expect(fitting.ordered.count == 10)
        let next = fitting.files(at: 9..<19).map(\.path)
        #expect(next == Array(all[9..<19]))
        let last = fitting.files(at: 295..<305).map(\.path)
        #expect(last == Array(all[295...]))
        let none = fitting.files(at: 301..<302).map(\.path)
        #expect(none == [])
    }

    @Test func `what is typed and erased finds what it would find at once`() {
        var fitting = FittingFiles(many)
        for query in ["n", "no", "note1", "note1 d2", "note", "x", "xx", "x", "", "d", " ", "m"] {
            fitting.search(query, rows: 10)
            let isEmpty = query.allSatisfy(\.isWhitespace)
            let all = isEmpty ? many.map(\.path) : found(query, among: many)
            #expect(fitting.count == all.count)
            let first = fitting.files(at: 0..<10).map(\.path)
            #expect(first == Array(all.prefix(10)))
        }
    }

    @Test func `a letter that gets an accent is looked for anew`() {
        let paths = ["/Vi\u{1ec7}t.md", "/Vi\u{ea}.md"]
        var fitting = FittingFiles(paths.map { FileInfo.listed($0) })
        fitting.search("\u{ea}", rows: 10)
        let before = fitting.files(at: 0..<10).map(\.path)
        #expect(before == [paths[1]])
        fitting.search("\u{ea}\u{323}", rows: 10)
        let after = fitting.files(at: 0..<10).map(\.path)
        #expect(after == [paths[0]])
    }
}
