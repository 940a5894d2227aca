import Foundation
import Testing

@testable import LockbookModel

/// Drawn merges of formats that markers would break.
@Suite struct TextMergeStructuredDrawTests {
    /// `MERGES=number` in the environment draws more or fewer.
    private static let count =
        ProcessInfo.processInfo.environment["MERGES"].flatMap { UInt64($0) } ?? 1_000

    @Test(arguments: DrawnTree.Format.allCases)
    func `a merge of SVG or JSON parses and holds both edits, or both copies stay`(
        format: DrawnTree.Format
    ) {
        var clean = 0
        let count = Self.count / 2
        for seed in 0..<count {
            var random = Seeded(seed &* 2 &+ UInt64(format.rawValue))
            let size = Int.random(in: 2...25, using: &random)
            let base = DrawnTree(format, size: size, using: &random)
            var (local, remote) = (base, base)
            for _ in 0..<Int.random(in: 1...3, using: &random) { local.edit("l", using: &random) }
            for _ in 0..<Int.random(in: 1...3, using: &random) { remote.edit("r", using: &random) }
            let texts = [base.text(), local.text(), remote.text()]
            let name = format == .json ? "json" : "svg"
            switch merged(texts[0], texts[1], texts[2], fileExtension: name) {
            case .notText: continue
            case .conflicts: Issue.record("markers in \(name), seed \(seed)")
            case .clean(let text):
                clean += 1
                if !parses(text, as: format) { Issue.record("does not parse, seed \(seed)") }
                let words = texts.map(Self.words)
                // A word that a side added is there, one that a side took out is not.
                let kept = words[0].intersection(words[1]).intersection(words[2])
                let added = words[1].union(words[2]).subtracting(words[0])
                let expected = kept.union(added)
                if Self.words(of: text) != expected { Issue.record("lost edit, seed \(seed)") }
                let all = Self.list(of: text)
                if all.count != expected.count { Issue.record("said twice, seed \(seed)") }
            }
        }
        #expect(clean > count / 3, "\(clean) of \(count) were merged")
    }

    /// Well-formed for a reader that is not ours, and with nothing repeated for ours.
    private func parses(_ text: String, as format: DrawnTree.Format) -> Bool {
        switch format {
        case .json:
            return (try? JSONSerialization.jsonObject(with: Data(text.utf8))) != nil
                && JSONCheck.repeatedKeys(in: Array(text.utf8)) == [:]
        case .svg:
            return Self.isBalanced(text) && XMLCheck.faults(in: Array(text.utf8)) == [:]
        }
    }

    /// Whether the tags of drawn SVG close in order; drawn texts hold nothing else to go wrong.
    private static func isBalanced(_ text: String) -> Bool {
        var open: [Substring] = []
        var rest = text[...].drop { $0.isWhitespace }
        while let first = rest.first {
            guard first == "<", let end = rest.firstIndex(of: ">") else { return false }
            let tag = rest[..<end].dropFirst()
            if tag.hasPrefix("/") {
                guard open.popLast() == tag.dropFirst() else { return false }
            } else if !tag.hasSuffix("/") {
                open.append(tag.prefix { $0 != " " })
            }
            guard !tag.contains("<"), tag.count(where: { $0 == "\"" }) % 2 == 0 else {
                return false
            }
            rest = rest[rest.index(after: end)...].drop { $0.isWhitespace }
        }
        return open.isEmpty
    }

    /// The drawn names and values in a text.
    private static func list(of text: String) -> [Substring] {
        text.split { !$0.isLetter && !$0.isNumber }.filter {
            "blr".contains($0.prefix(1)) && $0.count > 1 && $0.dropFirst().allSatisfy(\.isNumber)
        }
    }

    private static func words(of text: String) -> Set<Substring> {
        Set(list(of: text))
    }
}
