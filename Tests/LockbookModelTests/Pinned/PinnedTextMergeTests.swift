import Testing

@testable import LockbookModel

/// What merges of texts give, to the byte.
@Suite struct PinnedTextMergeTests {
    private static let labels = [
        Pin.labels,
        MergeLabels(local: "", remote: "two\nlines\u{7f}"),
    ]

    private func outcome(_ drawn: DrawnProse, _ seed: UInt64, _ name: String) -> TextMergeOutcome {
        TextMerge.merge(
            base: drawn.base,
            local: drawn.local,
            remote: drawn.remote,
            labels: Self.labels[seed % 7 == 0 ? 1 : 0],
            fileExtension: name
        )
    }

    @Test(arguments: [
        (4, 3, "82286c3ca53ab69c"), (12, 6, "467a7a66fed08cbf"), (60, 25, "0410595187e34179"),
    ])
    func `drawn prose`(length: Int, edits: Int, pinned: String) {
        var pin = Pin()
        for seed in 0..<UInt64(1_500) {
            pin.add(outcome(DrawnProse(seed: seed, length: length, edits: edits), seed, "md"))
        }
        #expect(pin.text == pinned)
    }

    @Test(arguments: [
        (DrawnRecords.Kind.tasks, "6fec80d5a3cbc919"),
        (.numbered, "0e40a125889fe000"), (.table, "0d4c104f2b4520f4"),
        (.rows, "0bc9f96c9acb764a"), (.log, "94974408e277109b"),
        (.times, "738bd4511e2759b2"), (.values, "60f944b9326ca704"),
        (.elements, "cb0a673c4d3e9fb4"), (.objects, "06e1d2d53f6448cd"),
        (.blocks, "af0a68d14d49d9c4"),
    ])
    func `drawn records`(kind: DrawnRecords.Kind, pinned: String) {
        var pin = Pin()
        pin.addMerges(seeds: 900, lengths: [3, 8, 20], fileExtension: "md") { seed, length in
            DrawnRecords(seed: seed, kind: kind, length: length, edits: 4)
        }
        #expect(pin.text == pinned)
    }

    @Test(arguments: [
        (2, 30, "ffb0c8bd132120ad"), (5, 120, "ebf204ce9f3c9f12"), (300, 120, "43459f3bdaf5cabc"),
    ])
    func `drawn lines of a vocabulary`(vocabulary: Int, length: Int, pinned: String) {
        var pin = Pin()
        for seed in 0..<UInt64(600) {
            let drawn = DrawnMerge(seed: seed, vocabulary: vocabulary, length: length, edits: 20)
            let texts = [drawn.base, drawn.local, drawn.remote].map {
                Array(DrawnMerge.text($0, endsLine: seed % 3 > 0).utf8)
            }
            pin.add(
                TextMerge.merge(
                    base: texts[0],
                    local: texts[1],
                    remote: texts[2],
                    labels: Self.labels[0],
                    fileExtension: ""
                )
            )
        }
        #expect(pin.text == pinned)
    }

    @Test(arguments: [(0, "0bf155ac7490d241"), (1, "915662ef58f032d4"), (3, "93d30d394db4202d")])
    func `differences with lines around them`(context: Int, pinned: String) {
        var pin = Pin()
        for seed in 0..<UInt64(800) {
            let drawn = DrawnProse(seed: seed, length: 40, edits: 6)
            for (old, new) in [(drawn.base, drawn.local), (drawn.local, drawn.remote)] {
                let lines = TextDiff.unified(from: old, to: new, context: context)
                pin.add(lines?.count ?? -1)
                for line in lines ?? [] {
                    pin.add("\(line.kind)")
                    pin.add(line.bytes)
                }
            }
        }
        #expect(pin.text == pinned)
    }

    @Test func `places with two versions`() {
        var pin = Pin()
        for seed in 0..<UInt64(1_500) {
            let drawn = DrawnProse(seed: seed, length: 14, edits: 12)
            for text in [drawn.base, drawn.local, drawn.remote] {
                let blocks = ConflictBlocks(in: text)
                pin.add(blocks.count)
                for side in [ConflictSide.local, .remote, .both] {
                    pin.add(blocks.resolved(keeping: side))
                }
            }
        }
        #expect(pin.text == "150c1ce307fba6fc")
    }

    @Test func `what is text`() {
        var pin = Pin()
        let edges: [UInt8] = [
            0x00, 0x08, 0x09, 0x0A, 0x0B, 0x0C, 0x0D, 0x0E, 0x1F, 0x20, 0x7E, 0x7F, 0x80, 0x8F,
            0x90, 0x9F, 0xA0, 0xBF,
            0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC, 0xED, 0xEE, 0xEF, 0xF0, 0xF1, 0xF3, 0xF4,
            0xF5, 0xFF,
        ]
        // Every byte, every pair of edges, and all longer sequences that start one of four bytes.
        for byte in UInt8.min ... .max { pin.add(TextMerge.isText([byte])) }
        for one in edges {
            for other in edges {
                pin.add(TextMerge.isText([one, other]))
                guard one >= 0xC0 else { continue }
                for third in edges {
                    pin.add(TextMerge.isText([one, other, third]))
                    for fourth in [0x7F, 0x80, 0xBF, 0xC0] as [UInt8] {
                        pin.add(TextMerge.isText([one, other, third, fourth]))
                    }
                }
            }
        }
        #expect(pin.text == "9466c7a07b9244e2")
    }
}
