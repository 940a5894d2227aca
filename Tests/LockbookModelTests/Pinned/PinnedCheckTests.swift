import Testing

@testable import LockbookModel

/// What is said of merged texts that are put together in any way, the wrong ones too.
///
/// Merges seldom make a text that their own checks refuse, so that those would say little.
@Suite struct PinnedCheckTests {
    /// Parts of a merge, of which each region is as one side, as both, or stays in both versions.
    private static func parts(
        of merge: LineMerge,
        _ regions: [MergeRegion],
        _ random: inout Seeded
    ) -> [MergedPart] {
        var parts: [MergedPart] = []
        var at = 0
        for region in regions {
            parts.keep(merge.local.bytes(of: at..<region.local.lowerBound))
            at = region.local.upperBound
            let mine = merge.local.bytes(of: region.local)
            let theirs = merge.remote.bytes(of: region.remote)
            switch Int.random(in: 0..<6, using: &random) {
            case 0: parts.keep(mine)
            case 1: parts.keep(theirs)
            case 2:
                parts.keep(mine)
                parts.keep(theirs)
            case 3: parts.keep(merge.base.bytes(of: region.base))
            case 4: parts.add(local: mine, remote: theirs, of: merge.text)
            default:
                parts.keep(region.taking == .remote ? theirs : mine)
            }
        }
        parts.keep(merge.local.bytes(of: at..<merge.local.count))
        return parts
    }

    @Test func `whether words, rows and additions are kept`() {
        var pin = Pin()
        Pin.forEachText(80) { text, _, random in
            var budget: DiffBudget?
            let merge = LineMerge(of: text, budget: &budget)
            var table = PieceTable(of: text)
            let words = [text.base, text.local, text.remote].map { table.words(of: $0) }
            let regions = merge.reachedRegions
            for _ in 0..<2 {
                let parts = Self.parts(of: merge, regions, &random)
                let (base, local, remote) = (text.base, text.local, text.remote)
                pin.add([
                    text.tearsTables(parts, base: base, local: local, remote: remote),
                    text.addsTwice(parts, base: base, local: local, remote: remote),
                    text.tears(parts),
                ])
                for region in regions {
                    let (old, mine, theirs) = (
                        merge.base.bytes(of: region.base), merge.local.bytes(of: region.local),
                        merge.remote.bytes(of: region.remote)
                    )
                    pin.add(text.addsTwice(parts, base: old, local: mine, remote: theirs))
                }
                let balance = WordBalance(
                    of: parts,
                    regions: [],
                    base: words[0],
                    local: words[1],
                    remote: words[2],
                    in: &table
                )
                pin.add([balance.isKept, balance.isMerged])
                pin.add(balance.moved.count)
                var dropped = parts
                dropped.dropEnd(of: text)
                pin.add(text.document(of: dropped, choosingLocal: true))
                pin.add(text.render(parts, labels: Pin.labels))
            }
        }
        #expect(pin.text == "1cbaba576ad5fc8b")
    }

    @Test func `words that went to another stretch, and the lines that share them`() {
        var pin = Pin()
        Pin.forEachText(80) { text, _, random in
            var budget: DiffBudget?
            let merge = LineMerge(of: text, budget: &budget)
            var merged = merge.reachedRegions.map { region in
                var region = region
                if Int.random(in: 0..<3, using: &random) > 0 { region.taking = .both }
                return MergedRegion(region, merge.base, merge.local, merge.remote)
            }
            var elsewhere = WordsElsewhere.OfSides(in: merged, of: text)
            let (mine, theirs) = (elsewhere.local, elsewhere.remote)
            var table = PieceTable(of: text)
            for range in [text.base, text.local, text.remote] {
                let words = table.words(of: range)
                for piece in 0..<words.count {
                    let word = words.bytes(of: piece..<piece + 1)
                    pin.add([mine.contain(word), theirs.contain(word), mine.isRare(word)])
                }
            }
            var steps = DiffBudget(pieces: 1 << 10)
            for index in merged.indices {
                merged[index].merge(text, elsewhere: &elsewhere, budget: &steps)
            }
            pin.add(steps.local)
            pin.add(steps.remote)
            merged.partMovedWords(of: text)
            for part in merged.flatMap(\.parts) {
                pin.add(part.isConflict)
                pin.add(part.range(ofLocal: true))
                pin.add(part.range(ofLocal: false))
            }
            for (one, other) in [(text.base, text.local), (text.remote, text.base)] {
                let parts = text.laidOutRows(
                    base: text.base,
                    local: one,
                    remote: other,
                    budget: &steps
                )
                for part in parts ?? [] { pin.add(part.range(ofLocal: true)) }
            }
        }
        #expect(pin.text == "9ea0ae2d20b121d5")
    }

    @Test func `whether a format takes a text that is made of two versions`() {
        let formats: [(DrawnPage.Kind, String)] = [
            (.events, "ics"), (.contacts, "vcf"), (.objects, "json"), (.records, "jsonl"),
            (.elements, "svg"), (.elements, "html"), (.objects, ""), (.elements, ""),
            (.records, "canvas"), (.objects, "canvas"),
        ]
        var pin = Pin()
        for seed in 0..<UInt64(500) {
            for (kind, name) in formats {
                let drawn = DrawnPage(seed: seed, kind: kind, length: 3, edits: 2)
                let text = MergeText(base: drawn.base, local: drawn.local, remote: drawn.remote)
                var budget: DiffBudget?
                let merge = LineMerge(of: text, budget: &budget)
                var random = Seeded(seed)
                let format = StructuredFormat(
                    fileExtension: name,
                    local: drawn.local,
                    remote: drawn.remote
                )
                pin.add("\(format.map { "\($0)" } ?? "none")")
                guard let format else { continue }
                for _ in 0..<2 {
                    let parts = Self.parts(of: merge, merge.reachedRegions, &random)
                    let merged = text.document(of: parts, choosingLocal: true)
                    pin.add(
                        format.accepts(
                            merged,
                            of: drawn.base,
                            from: drawn.local,
                            and: drawn.remote
                        )
                    )
                }
                pin.add(TextMerge.joined(text, as: format) ?? [])
            }
        }
        #expect(pin.text == "d37ba0f223ee1552")
    }
}
