import LockbookEngine

/// Versions of files, one per line, in columns.
struct VersionTable {
    let lines: [String]

    init(_ versions: [FileVersion]) {
        let names = versions.map { $0.author + " on " + $0.device }
        let nameWidth = names.map(\.count).max() ?? 0
        let sizeWidth = versions.map { String($0.size).count }.max() ?? 1
        lines = zip(versions, names).map { version, name in
            let size = String(version.size)
            let change = version.change.rawValue
            return [
                String(version.version.prefix(8)),
                localTime(milliseconds: version.time),
                change + String(repeating: " ", count: max(0, 8 - change.count)),
                name + String(repeating: " ", count: nameWidth - name.count),
                String(repeating: " ", count: sizeWidth - size.count) + size,
                (version.isUnsynced ? "*" : " ") + (version.isHere ? " " : "~"),
                version.path,
            ].joined(separator: "  ")
        }
    }
}
