import LockbookModel
import Testing

/// Two lines never become one that neither side wrote.
struct TextMergeLineEndTests {
    @Test(arguments: ["\n", "\r\n"])
    func `a line written into blank lines does not take the end that the other side took out`(
        ending: String
    ) {
        func text(_ lines: String...) -> String { lines.map { $0 + ending }.joined() }
        let merge = merged(
            text("# Plan", "", "", "- buy rope"),
            text("# Plan", "Call Ada first", "- buy rope"),
            text("# Plan", "", "- buy rope")
        )
        let both =
            "<<<<<<< alice on laptop\(ending)Call Ada first\(ending)=======\(ending)"
            + "\(ending)>>>>>>> bob on phone\(ending)"
        #expect(merge == .conflicts(1, text("# Plan") + both + text("- buy rope")))
    }

    @Test func `nor does it where the last line has no end, or where many blank lines go`() {
        #expect(
            merged("a\n\n\nb", "a\nnew\nb", "a\n\nb")
                == .conflicts(1, "a\n" + conflict("new\n", "\n") + "b")
        )
        let letter = "Dear Ada,\n\n\n\n\nsee you"
        let remote = "Dear Ada,\n\nsee you"
        for local in [
            "Dear Ada,\n\n\n\nthe boat is ready\nsee you",
            "Dear Ada,\n\nthe boat is ready\n\nsee you",
            "Dear Ada,\nthe boat is ready\nsee you",
        ] {
            for merge in [merged(letter, local, remote), merged(letter, remote, local)] {
                switch merge {
                case .clean(let text), .conflicts(_, let text):
                    let lines = text.split(separator: "\n")
                    #expect(lines.contains("the boat is ready"), "\(text)")
                    #expect(lines.last == "see you", "\(text)")
                case .notText: Issue.record("no text")
                }
            }
        }
    }

    @Test func `of lines of one word each, every line of a merge is one of a side`() {
        for seed in 0..<UInt64(6_000) {
            var random = Seeded(seed)
            let base = (0..<Int.random(in: 0...8, using: &random)).map { line in
                Bool.random(using: &random) ? "" : "b\(line)"
            }
            func side(_ name: String) -> [String] {
                var text = base
                for number in 0..<Int.random(in: 1...3, using: &random) {
                    let at = Int.random(in: 0...text.count, using: &random)
                    let end = min(text.count, at + Int.random(in: 0...3, using: &random))
                    let new = (0..<Int.random(in: 0...2, using: &random)).map { line in
                        Bool.random(using: &random) ? "" : "\(name)\(number)\(line)"
                    }
                    text.replaceSubrange(at..<end, with: new)
                }
                return text
            }
            let (local, remote) = (side("l"), side("r"))
            let ends = seed % 3 > 0
            let merge = merged(
                DrawnMerge.text(base, endsLine: ends),
                DrawnMerge.text(local, endsLine: ends),
                DrawnMerge.text(remote, endsLine: ends)
            )
            let known = Set(local + remote + [""])
            switch merge {
            case .clean(let text), .conflicts(_, let text):
                for line in text.split(separator: "\n").map(String.init)
                where !known.contains(line) && !"<=>".contains(line.prefix(1)) {
                    Issue.record("seed \(seed): \(line)")
                }
            case .notText: Issue.record("seed \(seed)")
            }
        }
    }
}
