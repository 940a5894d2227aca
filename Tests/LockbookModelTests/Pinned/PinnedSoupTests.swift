import Testing

@testable import LockbookModel

/// What merges give of texts whose lines are hard to tell apart, to the byte.
@Suite struct PinnedSoupTests {
    private static let extensions: [DrawnSoup.Kind: String] = [
        .ragged: "csv", .flow: "yaml", .events: "ics", .asides: "json", .sections: "ini",
    ]

    @Test(arguments: [
        (DrawnSoup.Kind.paths, "36fe90612ac32e53"), (.padded, "6d1b5bf6d0219eb4"),
        (.ragged, "86b67a5de642ed82"), (.twins, "1577412020132dc4"),
        (.sections, "7921c1f31227b737"), (.flow, "3d440b8b71fe33b4"), (.events, "1dfb86420efee0be"),
        (.asides, "ab3cecb4bd18e1da"),
    ])
    func `drawn soups`(kind: DrawnSoup.Kind, pinned: String) {
        var pin = Pin()
        pin.addMerges(
            seeds: 1_800,
            lengths: [4, 9, 25],
            fileExtension: Self.extensions[kind] ?? "md"
        ) { seed, length in
            DrawnSoup(seed: seed, kind: kind, length: length, edits: 4)
        }
        #expect(pin.text == pinned)
    }
}
