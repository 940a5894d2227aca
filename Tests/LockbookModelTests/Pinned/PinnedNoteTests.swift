import Testing

@testable import LockbookModel

/// What merges of notes with a form give, and of notes in which devices decide conflicts, to the byte.
@Suite struct PinnedNoteTests {
    @Test(arguments: [
        (DrawnNote.Kind.points, "5072ed303312f88d"), (.headings, "f882746e92602fd3"),
        (.stars, "eafbd1b39fe1afcf"), (.table, "d864e6076171e126"),
        (.csv, "5af0ffcf10fde70a"), (.tsv, "b9e5f7cdd796ddf3"), (.marks, "97ed5cf48f861f1f"),
        (.blocks, "96ea0db28f71d2e8"), (.frontMatter, "4e1ce81b5a13b969"),
        (.toml, "7d7c80b443dbabf6"), (.yaml, "a34dbab2a30990c7"), (.ini, "b90f7253746ef42b"),
        (.bib, "6052f817a4113214"),
    ])
    func `drawn notes`(kind: DrawnNote.Kind, pinned: String) {
        var pin = Pin()
        pin.addMerges(
            seeds: 800,
            lengths: [3, 6, 14],
            fileExtension: DrawnNote.fileExtension(kind)
        ) { seed, length in
            DrawnNote(seed: seed, kind: kind, length: length, edits: 3)
        }
        #expect(pin.text == pinned)
    }

    /// Two devices have a note with conflicts, and each decides some of them, or writes on.
    @Test(arguments: [(1, "681b7f8f2cdb0f69"), (2, "ef44d6dcbdcc9751"), (3, "326c532befca65f9")])
    func `decided conflicts`(rounds: Int, pinned: String) {
        var pin = Pin()
        for seed in 0..<UInt64(700) {
            let drawn = DrawnProse(seed: seed, length: 10, edits: 6)
            var random = Seeded(seed)
            var outcome = merge(drawn.base, drawn.local, drawn.remote)
            for _ in 0..<rounds {
                guard case .merged(let note, let conflicts) = outcome, conflicts > 0 else { break }
                outcome = merge(
                    note,
                    Self.decided(note, &random),
                    Self.decided(note, &random)
                )
            }
            pin.add(outcome)
        }
        #expect(pin.text == pinned)
    }

    private func merge(_ base: [UInt8], _ local: [UInt8], _ remote: [UInt8]) -> TextMergeOutcome {
        TextMerge.merge(
            base: base,
            local: local,
            remote: remote,
            labels: Pin.labels,
            fileExtension: "md"
        )
    }

    /// The note with some of its conflicts decided for one version, and a line or two written.
    private static func decided(_ note: [UInt8], _ random: inout Seeded) -> [UInt8] {
        var kept: [[UInt8]] = []
        // Of each conflict around: whether it stays, whether its first version does, and where we are.
        var around: [(isOpen: Bool, takesFirst: Bool, isFirst: Bool)] = []
        for line in note.split(separator: 0x0A, omittingEmptySubsequences: false).map(Array.init) {
            let isShown = around.allSatisfy { $0.isOpen || $0.takesFirst == $0.isFirst }
            if line.starts(with: "<<<<<<< ".utf8) {
                around.append((Bool.random(using: &random), Bool.random(using: &random), true))
                if isShown, around.last?.isOpen == true { kept.append(line) }
            } else if line.elementsEqual("=======".utf8), let inner = around.popLast() {
                let isOuterShown = around.allSatisfy { $0.isOpen || $0.takesFirst == $0.isFirst }
                around.append((inner.isOpen, inner.takesFirst, false))
                if isOuterShown, inner.isOpen { kept.append(line) }
            } else if line.starts(with: ">>>>>>> ".utf8), let inner = around.popLast() {
                let isOuterShown = around.allSatisfy { $0.isOpen || $0.takesFirst == $0.isFirst }
                if isOuterShown, inner.isOpen { kept.append(line) }
            } else if isShown {
                kept.append(line)
            }
        }
        if Int.random(in: 0..<3, using: &random) == 0 {
            let place = Int.random(in: 0...kept.count, using: &random)
            kept.insert(Array("written \(Int.random(in: 0..<3, using: &random))".utf8), at: place)
        }
        return Array(kept.joined(separator: [0x0A]))
    }
}
