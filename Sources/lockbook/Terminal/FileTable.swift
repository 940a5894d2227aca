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

extension FileInfo {
    var endingSlash: String { type == .folder && path != "/" ? "/" : "" }

    /// Two places: changes that were not synced, then where the content is.
    fileprivate var marks: String {
        (isChanged ? "*" : " ") + (isDamaged ? "!" : isHere ? " " : "~")
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
