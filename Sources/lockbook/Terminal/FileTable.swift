import LockbookEngine

/// Files with all that is known about them, one per line, in columns.
struct FileTable {
    let lines: [String]

    init(_ files: [FileInfo], showsPaths: Bool) {
        let width = files.map { String($0.size).count }.max() ?? 1
        lines = files.map { file in
            let size = String(file.size)
            let columns = [
                String(file.id.prefix(8)),
                file.type.shortName,
                String(repeating: " ", count: width - size.count) + size,
                localTime(milliseconds: file.modified),
                file.marks,
                (showsPaths ? file.path : file.name) + file.endingSlash,
            ]
            return columns.joined(separator: "  ")
        }
    }
}

extension FileTable {
    /// What is in the trash; behind the time, how many files are in a folder.
    init(trashed files: [TrashedFile]) {
        let rows = files.map { file in
            [
                String(file.id.prefix(8)), file.type.shortName, String(file.size),
                // Several of one path are told apart by it.
                localSecond(milliseconds: file.modified),
                file.type == .folder ? count(file.files, "file") : "",
                file.path + (file.type == .folder ? "/" : ""),
            ]
        }
        let sizes = rows.map { $0[2].count }.max() ?? 1
        let counts = rows.map { $0[4].count }.max() ?? 0
        lines = rows.map { row in
            var row = row
            row[2] = String(repeating: " ", count: sizes - row[2].count) + row[2]
            row[4] += String(repeating: " ", count: counts - row[4].count)
            return row.joined(separator: "  ")
        }
    }
}

extension FileInfo {
    var endingSlash: String { type == .folder && path != "/" ? "/" : "" }

    /// Two places: changes that were not synced, then where the content is, or that it is shared.
    fileprivate var marks: String {
        (isChanged ? "*" : " ") + (isDamaged ? "!" : !isHere ? "~" : isShared == true ? "+" : " ")
    }
}

extension FileInfo.Kind {
    fileprivate var shortName: String {
        switch self {
        case .document: "doc "
        case .folder: "dir "
        case .link: "link"
        }
    }
}
