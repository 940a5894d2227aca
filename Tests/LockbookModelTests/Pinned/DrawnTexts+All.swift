@testable import LockbookModel

extension Pin {
    /// Some drawn texts of every kind, with the form of tables that their names tell.
    static func forEachText(
        _ seeds: UInt64,
        _ body: (_ text: MergeText, _ drawn: any DrawnTexts, _ random: inout Seeded) -> Void
    ) {
        func take(_ drawn: some DrawnTexts, _ fileExtension: String, _ seed: UInt64) {
            var random = Seeded(seed)
            var text = MergeText(base: drawn.base, local: drawn.local, remote: drawn.remote)
            text.tables = TableForm(fileExtension: fileExtension, base: drawn.base)
                .partingNumbers(of: [drawn.base, drawn.local, drawn.remote])
            text.isOrg = fileExtension == "org"
            text.hasRecords = fileExtension == "jsonl"
            body(text, drawn, &random)
        }
        for seed in 0..<seeds {
            let length = [2, 4, 9][Int(seed) % 3]
            for kind in DrawnPage.Kind.allCases {
                let name = DrawnPage.fileExtension(kind)
                take(DrawnPage(seed: seed, kind: kind, length: length, edits: 4), name, seed)
            }
            for kind in DrawnNote.Kind.allCases {
                let name = DrawnNote.fileExtension(kind)
                take(DrawnNote(seed: seed, kind: kind, length: length, edits: 3), name, seed)
            }
            for kind in DrawnSoup.Kind.allCases {
                let name = kind == .ragged ? "csv" : "md"
                take(DrawnSoup(seed: seed, kind: kind, length: length, edits: 4), name, seed)
            }
        }
    }
}
