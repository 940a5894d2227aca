import Testing

@testable import LockbookModel

/// What readers say of drawn texts, also where a merge would not show it.
@Suite struct PinnedReaderTests {
    @Test func `places of older conflicts, and what was decided`() {
        var pin = Pin()
        Pin.forEachText(90) { text, drawn, _ in
            for bytes in [drawn.base, drawn.local, drawn.remote]
            where ConflictBlocks.mayBe(in: bytes[...]) {
                let blocks = ConflictBlocks(in: bytes)
                pin.add(blocks.versions)
                pin.add(blocks.markers)
                pin.add(blocks.outside)
                for version in blocks.versions { pin.add(blocks.around(version)) }
                pin.add(blocks.strays.map { Array($0) }.sorted { $0.lexicographicallyPrecedes($1) })
                pin.add([blocks.isWhole, blocks.namesWriters, ConflictBlocks.endsInMarker(bytes)])
                for start in blocks.versions + [0..<bytes.count] {
                    let stretch = BlockStretch(base: text.base, text: text)
                    for side in [text.local, text.remote] {
                        let held = stretch.version(for: side, in: text.local)
                        pin.add(held ?? start)
                    }
                }
            }
            var decided = text
            pin.add(decided.alignDecisions())
            pin.add(decided.bytes)
            pin.add(text.tears([.conflict(local: text.local, remote: text.remote)]))
            pin.add(text.tears([.kept(text.local), .conflict(local: text.base, remote: 0..<0)]))
        }
        #expect(pin.text == "84d37396ea902f09")
    }

    @Test func `readers of formats say whether a text is made of both sides`() {
        var pin = Pin()
        for seed in 0..<UInt64(500) {
            for kind in [DrawnPage.Kind.events, .contacts, .objects, .records, .elements] {
                let drawn = DrawnPage(seed: seed, kind: kind, length: 3, edits: 2)
                let other = DrawnPage(seed: seed, kind: kind, length: 3, edits: 3)
                let texts = [drawn.base, drawn.local, drawn.remote, other.local, other.remote]
                for merged in texts {
                    switch kind {
                    case .events, .contacts:
                        pin.add(
                            ComponentCheck.keepsRecords(
                                merged,
                                of: drawn.base,
                                from: drawn.local,
                                and: drawn.remote
                            )
                        )
                        pin.add(ComponentCheck.repeatedProperties(in: merged))
                        let fields = [drawn.base, drawn.local, drawn.remote, merged]
                            .map { ComponentFields($0[...]) }
                        pin.add(fields[3].isMade(of: fields[0], by: fields[1], and: fields[2]))
                    case .objects, .records:
                        pin.add(
                            JSONPlaces.areKept(
                                by: merged,
                                of: drawn.base,
                                from: drawn.local,
                                and: drawn.remote,
                                isLines: kind == .records
                            )
                        )
                        add(JSONTree(merged, isLines: kind == .records), to: &pin)
                        pin.add(JSONCheck.repeatedKeys(in: merged))
                    default:
                        let faults = XMLCheck.faults(in: merged)?.map { "\($0.key) \($0.value)" }
                        pin.add((faults ?? ["none"]).sorted().joined())
                    }
                }
            }
        }
        #expect(pin.text == "8bba02d21c0228e9")
    }

    private func add(_ tree: JSONTree?, to pin: inout Pin) {
        guard let tree else { return pin.add(-1) }
        for node in tree.nodes {
            pin.add(node.parent ?? -1)
            pin.add(tree.name(of: node).map(Array.init) ?? [])
            pin.add(Array(tree.value(of: node)))
        }
    }

    @Test func `forms of texts, entries with dates, and what two new texts share`() {
        var pin = Pin()
        Pin.forEachText(90) { text, drawn, _ in
            for bytes in [drawn.base, drawn.local, drawn.remote] {
                let form = TextForm(of: bytes)
                pin.add([form.hasMark, form.endsInReturns == true, form.endsInReturns == nil])
                pin.add(form.plain(bytes))
                pin.add(form.formed(form.plain(bytes)))
            }
            let forms = MergedForm(base: drawn.base, local: drawn.local, remote: drawn.remote)
            pin.add("\(forms.map { "\($0.merged) \($0.base) \($0.local) \($0.remote)" } ?? "")")
            pin.add(text.ended.map { $0.bytes + [UInt8($0.base.count & 255)] } ?? [])
            pin.add([text.endsLastLine, text.lacksEnd(text.base), text.lacksEnd(text.local)])
            pin.add(TextMerge.commonLines(of: drawn.local, and: drawn.remote))
            pin.add(TextMerge.ended(drawn.base, as: drawn.local, and: drawn.remote))
            if let mine = DatedEntries(text.local, of: text.bytes),
                let theirs = DatedEntries(text.remote, of: text.bytes)
            {
                pin.add(mine.hasOrder(with: theirs))
                pin.add(mine.merged(with: theirs))
            }
        }
        #expect(pin.text == "9f60f81a9f123486")
    }

    @Test func `rows of tables, and which of them became which`() {
        var pin = Pin()
        Pin.forEachText(90) { text, _, _ in
            let rows = [text.base, text.local, text.remote].map { range in
                DrawnRow.all(in: text.bytes[range], form: text.tables)
            }
            for row in rows.compactMap({ $0 }).joined() {
                pin.add(row.line)
                pin.add(row.fields)
                pin.add(row.said)
                pin.add([row.isRule])
                pin.add(row.indentation)
                pin.add(row.end)
            }
            guard let old = rows[0], let mine = rows[1], let theirs = rows[2] else { return }
            let changes = [mine, theirs].map { side in
                var budget = 1 << 20
                return RowChanges(from: old, to: side, budget: &budget)
            }
            for change in changes {
                guard let change else {
                    pin.add(-1)
                    continue
                }
                pin.add(change.added)
                for row in old.indices { pin.add(change.version(of: row)?.line ?? 0..<0) }
            }
            guard let mine = changes[0], let theirs = changes[1] else { return }
            pin.add(mine.isUnsure(beside: theirs, from: old))
        }
        #expect(pin.text == "78979605c24d3b82")
    }
}
