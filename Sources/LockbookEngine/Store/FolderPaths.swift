import LockbookModel

/// The paths of folders that were asked for, as far as they do not fill the memory: one below the other, those of
/// long names would.
struct FolderPaths: ExpressibleByDictionaryLiteral {
    private static let mostBytes = 64 << 20
    private var paths: [FileID: String] = [:]
    private var byteCount = 0

    init(dictionaryLiteral elements: (FileID, String)...) {
        for (id, path) in elements { self[id] = path }
    }

    subscript(id: FileID) -> String? {
        get { paths[id] }
        set {
            guard let path = newValue else { return }
            let size = path.utf8.count
            if byteCount + size > Self.mostBytes {
                paths = [:]
                byteCount = 0
            }
            paths[id] = path
            byteCount += size
        }
    }
}
