import LockbookEngine

/// Files below a folder, drawn as `tree` does it.
struct TreeDrawing {
    private(set) var lines: [String]

    /// - Parameter files: each folder before what is in it, siblings in the order to be drawn.
    init(of files: [FileInfo], below top: FileInfo, levels: Int) {
        let base = top.path == "/" ? 0 : Self.depth(top.path)
        // From the end, where it is known whether a sibling follows.
        var follows: [Bool] = []
        // What stands before the name in each depth on the way to the last one that was drawn: of a deep
        // nest nothing else may be done for each line and each depth.
        var above = [""]
        var drawn: [String] = []
        var folders = 0
        // One that is drawn by itself counts.
        var documents = top.type == .document ? 1 : 0
        var links = 0
        for file in files.reversed() {
            let depth = Self.depth(file.path) - base - 1
            guard depth < levels else { continue }
            switch file.type {
            case .folder: folders += 1
            case .document: documents += 1
            case .link: links += 1
            }
            while follows.count <= depth { follows.append(false) }
            follows.removeLast(follows.count - depth - 1)
            above.removeLast(max(0, above.count - depth - 1))
            while above.count <= depth {
                let last = above.count - 1
                above.append(above[last] + (follows[last] ? "│   " : "    "))
            }
            drawn.append(above[depth] + (follows[depth] ? "├── " : "└── ") + file.name)
            follows[depth] = true
        }
        let summary =
            count(folders, "folder") + ", " + count(documents, "document")
            + (links > 0 ? ", " + count(links, "link") : "")
        lines = [top.path] + drawn.reversed() + ["", summary]
    }

    private static func depth(_ path: String) -> Int {
        path.utf8.count { $0 == UInt8(ascii: "/") }
    }
}
