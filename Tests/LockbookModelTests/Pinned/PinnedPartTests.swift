import Testing

@testable import LockbookModel

/// What the parts of a merge say of drawn texts, also where the merge as a whole would not show it.
@Suite struct PinnedPartTests {
    @Test func `lines, words and what these are taken for`() {
        var pin = Pin()
        Pin.forEachText(60) { text, _, random in
            let bytes = text.bytes
            var table = PieceTable(of: text)
            for range in [text.base, text.local, text.remote] {
                let words = table.words(of: range)
                pin.add(words.starts)
                for piece in 0..<words.count {
                    pin.add([
                        words.isWord(piece, in: bytes), words.isMark(piece, in: bytes),
                        words.isNumber(piece, in: bytes), words.isSign(piece, in: bytes),
                        words.isPointOfDate(piece, in: bytes), words.isUnit(piece, in: bytes),
                        words.isBlank(piece, in: bytes), words.isIndentation(piece, in: bytes),
                        words.startsLine(piece, in: bytes), words.endsLine(piece, in: bytes),
                    ])
                    let other = min(words.count, piece + Int.random(in: 1...5, using: &random))
                    guard piece + 1 < other else { continue }
                    let (one, next) = (piece..<piece + 1, other - 1..<other)
                    pin.add(words.isOneValue(one, next, in: bytes))
                }
                let lines = table.lines(of: range)
                pin.add(lines.starts)
                for line in 0..<lines.count {
                    pin.add(lines.depth(ofLine: line, in: bytes) ?? -1)
                    pin.add(lines.hasWord(line..<line + 1, in: bytes))
                    pin.add(Array(bytes[lines.bytes(of: line..<line + 1)].recordName))
                }
                let records = TextRecords(of: lines, in: bytes, isOrg: text.isOrg)
                for record in records.all {
                    pin.add(record.lines)
                    pin.add(record.id ?? -1)
                    pin.add(record.name(of: lines, in: bytes))
                }
            }
        }
        #expect(pin.text == "cf53a1fda0ec8fad")
    }

    @Test func `changes of words, and where nobody can tell what they are about`() {
        var pin = Pin()
        Pin.forEachText(60) { text, _, random in
            var table = PieceTable(of: text)
            let base = table.words(of: text.base)
            let sides = [table.words(of: text.local), table.words(of: text.remote)]
            guard base.count > 0, sides.allSatisfy({ $0.count > 0 }) else { return }
            let old = OldWords(base, kinds: table.count, in: text.bytes)
            let none = WordsElsewhere.OfSides(in: [], of: text)
            var text = text
            var budget: DiffBudget?
            let merge = LineMerge(of: text, budget: &budget)
            let whole = merge.reachedRegions.map { region in
                var region = region
                region.taking = .both
                return region
            }
            text.gone = NamedLines(
                in: whole,
                base: merge.base,
                local: merge.local,
                remote: merge.remote,
                of: text
            )
            for named in [text.gone.local, text.gone.remote] {
                for (start, line) in named.sorted(by: { $0.key < $1.key }) {
                    pin.add(start)
                    pin.add(line.name)
                    pin.add(line.said)
                    pin.add([line.isID, line.isProse])
                }
            }
            let changes = sides.map { side in
                var steps = 1 << 20
                return WordChanges(
                    from: old,
                    to: side,
                    kinds: table.count,
                    budget: &steps,
                    elsewhere: {
                        var words = none
                        return words.local
                    },
                    in: text
                )
            }
            for (side, change) in zip(sides, changes) {
                pin.add(change.hunks)
                pin.add(change.slides.map(\.hunk))
                pin.add(change.slides.map(\.reach))
                let moves = MovedWords(
                    change.slides.map(\.hunk),
                    from: old,
                    to: side,
                    in: change.lines.new,
                    elsewhere: {
                        var words = none
                        return words.local
                    },
                    of: text.bytes
                )
                for piece in 0..<base.count {
                    let end = min(base.count, piece + Int.random(in: 0...2, using: &random))
                    pin.add(moves.isDoubtful(piece..<end))
                }
                for other in changes {
                    let hunks = other.slides.map(\.hunk)
                    pin.add(moves.concern(hunks, of: base, to: other.side, in: text.bytes))
                }
                var replaced = ReplacedLines(by: change, of: base, in: text.bytes)
                for line in 0..<old.lines.count {
                    pin.add(replaced.contain(old.lines.pieces(of: line..<line + 1)))
                }
            }
            pin.add(changes[0].isUnsure(beside: changes[1], in: base, text.bytes))
            let marks = zip(sides, changes).map { side, change in
                MarkedWords(change.slides.map(\.hunk), from: old, to: side, in: text.bytes)
            }
            pin.add(marks[0].cross(marks[1]))
        }
        #expect(pin.text == "710e704d7e7bfcd9")
    }

    @Test func `regions of lines, and what each of them takes`() {
        var pin = Pin()
        Pin.forEachText(60) { text, _, random in
            var budget: DiffBudget?
            let merge = LineMerge(of: text, budget: &budget)
            let sides = [
                (pieces: merge.local, hunks: merge.hunks.local),
                (pieces: merge.remote, hunks: merge.hunks.remote),
            ]
            var regions = merge.reachedRegions
            pin.add(merge.hunks.local)
            pin.add(merge.hunks.remote)
            pin.add(regions)
            let markers = [
                (text.base, merge.base), (text.local, merge.local), (text.remote, merge.remote),
            ].map { MarkerLines(in: $0, cutInto: $1, of: text.bytes) }
            for (lines, markers) in zip([merge.base, merge.local, merge.remote], markers) {
                let start = Int.random(in: 0...lines.count, using: &random)
                let stretch = start..<Int.random(in: start...lines.count, using: &random)
                pin.add(markers.torn(in: stretch))
                pin.add(markers.conflicts(in: stretch, beyond: nil) ?? 0..<0)
                for line in 0..<lines.count { pin.add(markers.conflict(ofMarker: line) ?? 0..<0) }
            }
            for all in [false, true] {
                regions = regions.holdingConflicts(
                    base: markers[0],
                    local: markers[1],
                    remote: markers[2],
                    all: all
                )
                pin.add(regions)
            }
            regions = merge.reachedRegions
            pin.add(
                regions.partingTwins(
                    over: merge.base,
                    local: sides[0],
                    remote: sides[1],
                    in: text.bytes
                )
            )
            for onlyByID in [false, true] {
                pin.add(
                    regions.partingReplaced(
                        over: merge.base,
                        local: sides[0],
                        remote: sides[1],
                        onlyByID: onlyByID,
                        in: text
                    )
                )
            }
            pin.add(
                regions.partingFollowers(
                    over: merge.base,
                    local: sides[0],
                    remote: sides[1],
                    in: text
                )
            )
            var table = PieceTable(of: text)
            _ = [text.base, text.local, text.remote].map { table.lines(of: $0) }
            pin.add(
                regions.partingMoves(
                    over: merge.base,
                    local: sides[0],
                    remote: sides[1],
                    kinds: table.count,
                    in: text.bytes
                )
            )
        }
        #expect(pin.text == "8e6b7c445c101ad1")
    }
}
