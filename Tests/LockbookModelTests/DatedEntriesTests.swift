import Testing

@testable import LockbookModel

/// Logs to which both sides add at one place.
struct DatedEntriesTests {
    private func merge(_ base: String, _ local: String, _ remote: String) -> TextMergeOutcome {
        TextMerge.merge(
            base: Array(base.utf8),
            local: Array(local.utf8),
            remote: Array(remote.utf8),
            labels: MergeLabels(local: "here", remote: "there"),
            fileExtension: "md"
        )
    }

    private func expect(
        _ base: String,
        _ local: String,
        _ remote: String,
        _ merged: String,
        _ place: SourceLocation = #_sourceLocation
    ) {
        let outcome = TextMergeOutcome.merged(Array(merged.utf8), conflicts: 0)
        #expect(merge(base, local, remote) == outcome, sourceLocation: place)
        #expect(merge(base, remote, local) == outcome, sourceLocation: place)
    }

    private let old = "# Log\n\n- 2026-11-22 09:00 old\n"

    @Test func `what both added stands in the order of time`() {
        expect(
            old,
            old + "- 2026-11-23 10:00 one\n- 2026-11-23 12:00 three\n",
            old + "- 2026-11-23 11:00 two\n  and more of it\n- 2026-11-23 13:00\n",
            old + "- 2026-11-23 10:00 one\n- 2026-11-23 11:00 two\n  and more of it\n"
                + "- 2026-11-23 12:00 three\n- 2026-11-23 13:00\n"
        )
    }

    @Test func `entries with the time alone are in its order, too`() {
        let head = "# Friday\n\n- 08:00 up\n"
        expect(
            head,
            head + "- 10:00 one\n  more\n- 12:00 three\n",
            head + "- 11:00 two\n",
            head + "- 10:00 one\n  more\n- 11:00 two\n- 12:00 three\n"
        )
        let mixed = merge(head, head + "- 10:00 one\n", head + "- 2026-11-27 09:00 two\n")
        guard case .merged(_, conflicts: 1) = mixed else {
            Issue.record("\(mixed)")
            return
        }
    }

    @Test func `an entry is there as often as in the log that has it most often`() {
        for seed in 0..<UInt64(2_000) {
            var random = Seeded(seed)
            let kinds = (0..<4).map { "- 10:0\($0) entry\n" }
            func log() -> [String] {
                (0..<Int.random(in: 1...6, using: &random)).map { _ in
                    kinds[Int.random(in: 0..<4, using: &random)]
                }
            }
            let (mine, theirs) = (log(), log())
            guard case .merged(let bytes, conflicts: 0) = merge("", mine.joined(), theirs.joined())
            else { continue }
            let merged = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
            for kind in kinds {
                let counts = [mine, theirs].map { $0.count { $0 == kind } }
                #expect(
                    merged.count { String($0) + "\n" == kind } >= counts.max() ?? 0,
                    "\(mine) \(theirs) \(merged)"
                )
            }
        }
    }

    @Test(arguments: [
        // Each letter is an entry, and comes later the later it is in the alphabet.
        ("baaa", "abba", "abbaa"), ("aaba", "baba", "aabab"), ("a", "a", "a"), ("a", "b", "ab"),
        ("b", "a", "ab"), ("ab", "ba", "ab"), ("aab", "ab", "aab"), ("cba", "ca", "cba"),
    ])
    func `an entry that both have waits until both come to it`(
        mine: String,
        theirs: String,
        wanted: String
    ) throws {
        func line(_ letter: Character) -> String { "- 10:00 \(letter)\n" }
        let (local, remote) = (mine.map(line).joined(), theirs.map(line).joined())
        let bytes = Array((local + remote).utf8)
        let (one, other) = (0..<local.utf8.count, local.utf8.count..<bytes.count)
        let here = try #require(DatedEntries(one, of: bytes))
        let there = try #require(DatedEntries(other, of: bytes))
        let merged = here.merged(with: there).flatMap { bytes[$0] }
        #expect(String(decoding: merged, as: UTF8.self) == wanted.map(line).joined())
    }

    @Test func `lines are entries where each of them is ended`() {
        func isLog(_ text: String) -> Bool {
            let bytes = Array(text.utf8)
            return DatedEntries(bytes.indices, of: bytes) != nil
        }
        for text in ["- 10:00 a\n", "- 10:00 a\n  b\n", "- 10:00\n", "- 10:00\r\n"] {
            #expect(isLog(text), "\(text)")
        }
        for text in [
            "", "\n", "- 10:00 a", "- 10:00 a\n  b", "- 10:00 a\n b\n", "- 10:00 a\n\n", "- 10:00",
            "- 10:00 a\n- 10:01 b", "- 1a:00 a\n", "- 10:0/ a\n", "- 10:0: a\n", "- 10:00a\n",
        ] {
            #expect(!isLog(text), "\(text)")
        }
    }

    @Test func `two new logs are joined, and what is in both is there once`() {
        expect(
            "",
            "- 2026-11-23 10:00 both\n- 2026-11-23 10:00 here\n- 2026-11-23 14:00 end\n",
            "- 2026-11-23 10:00 both\n- 2026-11-23 10:00 there\n- 2026-11-23 14:00 end\n",
            "- 2026-11-23 10:00 both\n- 2026-11-23 10:00 here\n- 2026-11-23 10:00 there\n"
                + "- 2026-11-23 14:00 end\n"
        )
    }

    @Test func `two new logs with one heading are joined below it`() {
        let head = "# 2026-11-23\n\n## Log\n"
        expect(
            "",
            head + "- 2026-11-23 10:00 here\n",
            head + "- 2026-11-23 09:00 there\n- 2026-11-23 11:00 there\n",
            head + "- 2026-11-23 09:00 there\n- 2026-11-23 10:00 here\n"
                + "- 2026-11-23 11:00 there\n"
        )
    }

    @Test func `a log whose last line had no end is added to as any other`() {
        let old = "- 2026-11-22 09:00 old"
        expect(
            old,
            old + "\n- 2026-11-23 10:00 here\n",
            old + "\n- 2026-11-23 09:00 there\n",
            old + "\n- 2026-11-23 09:00 there\n- 2026-11-23 10:00 here\n"
        )
    }

    @Test func `a side whose clock went back keeps its own order`() {
        expect(
            old,
            old + "- 2026-11-23 12:00 first\n- 2026-11-23 08:00 second\n",
            old + "- 2026-11-23 10:00 other\n",
            old + "- 2026-11-23 10:00 other\n- 2026-11-23 12:00 first\n- 2026-11-23 08:00 second\n"
        )
    }

    @Test func `what is in both is there once, in whatever order a log is kept`() {
        let (new, both, old) = (
            "- 2026-11-24 10:00 new\n", "- 2026-11-23 10:00 both\n", "- 2026-11-22 10:00 old\n"
        )
        expect("", new + both, both, new + both)
        expect("", new + both + old, both + old, new + both + old)
        expect("", new + both + both, both + both, new + both + both)
        // Each has both, in another order: once all the same.
        expect("", new + both, both + new, both + new)
        expect("", new + both + old, old + both + new, old + both + new)
    }

    @Test func `lines of CR and LF are entries, too`() {
        let base = "- 2026-11-22 09:00 old\r\n"
        expect(
            base,
            base + "- 2026-11-23 10:00 one\r\n",
            base + "- 2026-11-23 11:00\r\n",
            base + "- 2026-11-23 10:00 one\r\n- 2026-11-23 11:00\r\n"
        )
    }

    @Test func `one that its side did not end is an entry, too`() {
        let (one, two) = ("- 2026-11-23 10:00 one", "- 2026-11-23 11:00 two")
        expect(old, old + one + "\n", old + two, old + one + "\n" + two)
        expect(old, old + one, old + two + "\n", old + one + "\n" + two)
    }

    @Test(arguments: [
        "- 2026-11-23 11:00 two\nfree words\n", "words\n- 2026-11-23 11:00 two\n",
        "- 2026-11-23 1:00 two\n", "- 2026-11-23 11:00two\n",
        "* 2026-11-23 11:00 two\n", "  - 2026-11-23 11:00 two\n", "- 2026-11-23\n",
    ])
    func `anything else stays in both versions`(theirs: String) throws {
        let outcome = merge(old, old + "- 2026-11-23 10:00 one\n", old + theirs)
        guard case .merged(let bytes, let conflicts) = outcome else {
            Issue.record("not merged")
            return
        }
        #expect(conflicts == 1)
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(text.contains("<<<<<<<") && text.contains("- 2026-11-23 10:00 one\n"))
    }
}
