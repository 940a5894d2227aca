import LockbookModel
import Testing

/// The merge of three strings, as a reader would say it.
enum Merged: Equatable {
    case clean(String)
    case conflicts(Int, String)
    case notText
}

func merged(
    _ base: String,
    _ local: String,
    _ remote: String,
    fileExtension: String = "md"
) -> Merged {
    let outcome = TextMerge.merge(
        base: Array(base.utf8),
        local: Array(local.utf8),
        remote: Array(remote.utf8),
        labels: MergeLabels(local: "alice on laptop", remote: "bob on phone"),
        fileExtension: fileExtension
    )
    switch outcome {
    case .merged(let bytes, conflicts: 0): return .clean(String(decoding: bytes, as: UTF8.self))
    case .merged(let bytes, let count):
        return .conflicts(count, String(decoding: bytes, as: UTF8.self))
    case .notText: return .notText
    }
}

/// How a text of some kind says a record: what it is called, where that is, and how it stands.
struct DrawnRecord: CustomTestStringConvertible, Sendable {
    let fileExtension: String
    let text: @Sendable (_ name: String, _ place: String, _ state: String) -> String

    var testDescription: String { "\(fileExtension): \(text("name", "place", "state"))" }

    init(
        _ fileExtension: String,
        _ text: @escaping @Sendable (_ name: String, _ place: String, _ state: String) -> String
    ) {
        (self.fileExtension, self.text) = (fileExtension, text)
    }
}

/// The lines with an ending each.
func lines(_ lines: String...) -> String {
    lines.map { $0 + "\n" }.joined()
}

/// Both versions between markers of the given length.
func conflict(_ local: String, _ remote: String, length: Int = 7) -> String {
    func marker(_ sign: Character) -> String { String(repeating: sign, count: length) }
    return marker("<") + " alice on laptop\n" + local + marker("=") + "\n" + remote
        + marker(">") + " bob on phone\n"
}

/// The text without what ends its last line.
func unended(_ text: String) -> String {
    String(text.dropLast())
}

/// Numbers that are the same for the same seed (SplitMix64).
struct Seeded: RandomNumberGenerator {
    private var state: UInt64

    init(_ seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

/// A document and two edits of it, drawn from a seed.
struct DrawnMerge {
    var base: [String]
    var local: [String]
    var remote: [String]

    /// Draws a base of at most `length` lines and at most `edits` edits of it.
    ///
    /// A small vocabulary of lines makes many ways to align two versions.
    init(seed: UInt64, vocabulary: Int, length: Int, edits: Int) {
        var random = Seeded(seed)
        func line() -> String {
            let number = Int.random(in: 0..<vocabulary, using: &random)
            return number % 5 == 0 ? "" : "line \(number) of it"
        }
        base = (0..<Int.random(in: 0...length, using: &random)).map { _ in line() }
        (local, remote) = (base, base)
        func edit(_ text: inout [String]) {
            let at = Int.random(in: 0...text.count, using: &random)
            let span = min(text.count - at, Int.random(in: 1...3, using: &random))
            switch Int.random(in: 0..<5, using: &random) {
            case 0: text.removeSubrange(at..<at + span)
            case 1: text.replaceSubrange(at..<at + span, with: (0..<span).map { _ in line() })
            case 2 where span > 0: text[at] += " more"
            case 3: text.insert(contentsOf: text[at..<at + span], at: min(at + 1, text.count))
            default: text.insert(line(), at: at)
            }
        }
        for _ in 0..<Int.random(in: 0...edits, using: &random) {
            if Int.random(in: 0..<8, using: &random) == 0, local == remote {
                edit(&local)
                remote = local
            }
            if Bool.random(using: &random) { edit(&local) } else { edit(&remote) }
        }
    }

    static func text(_ lines: [String], endsLine: Bool = true) -> String {
        lines.joined(separator: "\n") + (endsLine && !lines.isEmpty ? "\n" : "")
    }
}

/// Expects both versions to stay, whichever side is the local one.
func expectConflict(
    _ base: String,
    _ local: String,
    _ remote: String,
    fileExtension: String = "md",
    _ place: SourceLocation = #_sourceLocation
) {
    for (mine, theirs) in [(local, remote), (remote, local)] {
        let merge = merged(base, mine, theirs, fileExtension: fileExtension)
        if case .clean(let text) = merge { Issue.record("\(text)", sourceLocation: place) }
    }
}

/// Expects one clean result, whichever side is the local one.
func expectClean(
    _ base: String,
    _ local: String,
    _ remote: String,
    _ wanted: String,
    fileExtension: String = "md",
    _ place: SourceLocation = #_sourceLocation
) {
    for (mine, theirs) in [(local, remote), (remote, local)] {
        let merge = merged(base, mine, theirs, fileExtension: fileExtension)
        #expect(merge == .clean(wanted), sourceLocation: place)
    }
}
