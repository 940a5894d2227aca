import Testing

@testable import LockbookEngine
@testable import lockbook

@Suite struct TreeDrawingTests {
    @Test func `what stands before a name follows from all folders that it is in`() {
        let folders = ["/x/a", "/x/a/b", "/x/a/b/c", "/x/e", "/x/e/f", "/x/h"]
        let files = [
            "/x/a", "/x/a/b", "/x/a/b/c", "/x/a/b/c/1", "/x/a/b/2", "/x/a/3", "/x/e", "/x/e/f",
            "/x/e/f/4", "/x/h", "/x/h/5",
        ].map { FileInfo.listed($0, folders.contains($0) ? .folder : .document) }
        let top = FileInfo.listed("/x", .folder)
        let all = [
            "/x",
            "├── a",
            "│   ├── b",
            "│   │   ├── c",
            "│   │   │   └── 1",
            "│   │   └── 2",
            "│   └── 3",
            "├── e",
            "│   └── f",
            "│       └── 4",
            "└── h",
            "    └── 5",
            "",
            "6 folders, 5 documents",
        ]
        #expect(TreeDrawing(of: files, below: top, levels: .max).lines == all)
        let two = [
            "/x", "├── a", "│   ├── b", "│   └── 3", "├── e", "│   └── f", "└── h", "    └── 5",
        ]
        #expect(
            TreeDrawing(of: files, below: top, levels: 2).lines.dropLast(2) == two[...]
        )
    }
}
