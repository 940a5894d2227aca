import LockbookModel
import Testing

/// What holds of every merge, tried on drawn ones.
@Suite struct TextMergeLawTests {
    @Test(arguments: [3, 8, 200]) func `a side that changed nothing adds nothing`(vocabulary: Int) {
        for seed in 0..<UInt64(1_000) {
            let drawn = DrawnMerge(seed: seed, vocabulary: vocabulary, length: 20, edits: 8)
            let base = DrawnMerge.text(drawn.base)
            let (one, other) = (DrawnMerge.text(drawn.local), DrawnMerge.text(drawn.remote))
            #expect(merged(base, one, base) == .clean(one), "seed \(seed)")
            #expect(merged(base, base, other) == .clean(other), "seed \(seed)")
            #expect(merged(base, one, one) == .clean(one), "seed \(seed)")
        }
    }

    @Test(arguments: [3, 8, 200]) func `swapped sides give the swapped result`(vocabulary: Int) {
        for seed in 0..<UInt64(1_000) {
            let drawn = DrawnMerge(seed: seed, vocabulary: vocabulary, length: 20, edits: 8)
            let base = DrawnMerge.text(drawn.base)
            let (one, other) = (DrawnMerge.text(drawn.local), DrawnMerge.text(drawn.remote))
            switch (merged(base, one, other), merged(base, other, one)) {
            case (.clean(let here), .clean(let there)): #expect(here == there, "seed \(seed)")
            case (.conflicts(let here, _), .conflicts(let there, _)):
                #expect(here == there, "seed \(seed)")
            default: Issue.record("seed \(seed)")
            }
        }
    }

    @Test(arguments: [1, 6]) func `every line a side added is in the result`(words: Int) {
        for seed in 0..<UInt64(2_000) {
            var random = Seeded(seed)
            let drawn = Additions(words: words, using: &random)
            let outcome = merged(
                DrawnMerge.text(drawn.base),
                DrawnMerge.text(drawn.local),
                DrawnMerge.text(drawn.remote)
            )
            let text: String
            switch outcome {
            case .clean(let merged), .conflicts(_, let merged): text = merged
            case .notText: text = ""
            }
            let present = Set(text.split { $0 == "\n" || $0 == " " })
            for word in drawn.added where !present.contains(Substring(word)) {
                Issue.record("seed \(seed) lost \(word)")
            }
        }
    }

    /// Of new texts that begin otherwise; of others, what one side alone has is merged.
    @Test func `both versions can be read back from between the markers`() {
        for seed in 0..<UInt64(1_000) {
            var random = Seeded(seed)
            let drawn = Additions(words: 3, using: &random)
            let local = DrawnMerge.text(["here"] + drawn.local)
            let remote = DrawnMerge.text(["there"] + drawn.remote)
            guard case .conflicts(let count, let text) = merged("", local, remote) else {
                Issue.record("seed \(seed)")
                continue
            }
            var (mine, theirs, side, seen) = ("", "", 0, 0)
            for line in text.split(separator: "\n") {
                switch line.prefix(7) {
                case "<<<<<<<": (side, seen) = (1, seen + 1)
                case "=======": side = 2
                case ">>>>>>>": side = 0
                default:
                    if side != 2 { mine += line + "\n" }
                    if side != 1 { theirs += line + "\n" }
                }
            }
            #expect(mine == local && theirs == remote, "seed \(seed)")
            #expect(seen == count, "seed \(seed)")
        }
    }
}

/// Two versions of a document, each with words in it that no other text has.
private struct Additions {
    var base: [String]
    var local: [String]
    var remote: [String]
    var added: [String] = []

    init(words: Int, using random: inout Seeded) {
        base = (0..<Int.random(in: 0...12, using: &random)).map { line in
            (0..<words).map { "b\(line).\($0)" }.joined(separator: " ")
        }
        (local, remote) = (base, base)
        local = edited("l", &random)
        remote = edited("r", &random)
    }

    private mutating func edited(_ name: String, _ random: inout Seeded) -> [String] {
        var text = base
        for number in 0..<Int.random(in: 1...6, using: &random) {
            let at = Int.random(in: 0...text.count, using: &random)
            let new = "\(name)\(number)"
            switch Int.random(in: 0..<3, using: &random) {
            case 0 where at < text.count:
                var parts = text[at].split(separator: " ").map(String.init)
                parts[Int.random(in: 0..<parts.count, using: &random)] = new
                text[at] = parts.joined(separator: " ")
            case 1 where at < text.count: text.remove(at: at)
            default: text.insert(new, at: at)
            }
        }
        let present = Set(text.flatMap { $0.split(separator: " ") })
        for word in present where word.hasPrefix(name) { added.append(String(word)) }
        return text
    }
}
