import Testing

@testable import LockbookModel

/// What merges give of texts of whole records, to the byte.
@Suite struct PinnedPageTests {
    @Test(arguments: [
        (DrawnPage.Kind.events, "1d45d0b22e342a14"), (.contacts, "d6f29717bbdcf97b"),
        (.objects, "d5dd9dd05106e7c7"), (.records, "ae9db89fc56ee1bb"),
        (.elements, "94ac55c5e847b9fe"), (.older, "25ed9c2947837243"),
        (.journal, "540b2906de7943e7"), (.outline, "0701608cdd681393"),
        (.sheet, "ea964c6b2ed89f2f"), (.prose, "d30f55f7af06ffca"),
    ])
    func `drawn pages`(kind: DrawnPage.Kind, pinned: String) {
        var pin = Pin()
        pin.addMerges(
            seeds: 1_200,
            lengths: [1, 3, 7],
            fileExtension: DrawnPage.fileExtension(kind)
        ) { seed, length in
            DrawnPage(seed: seed, kind: kind, length: length, edits: 4)
        }
        #expect(pin.text == pinned)
    }
}
