@testable import LockbookEngine

extension FileInfo {
    /// A file as a list has it, of which nothing but its path and its kind counts.
    static func listed(_ path: String, _ type: Kind = .document) -> FileInfo {
        FileInfo(
            id: path,
            path: path,
            name: path.split(separator: "/").last.map(String.init) ?? "/",
            type: type,
            size: 0,
            modified: 0,
            isHere: true,
            isChanged: false,
            isDamaged: false,
            isExecutable: false
        )
    }
}
