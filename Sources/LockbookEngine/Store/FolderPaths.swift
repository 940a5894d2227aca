import LockbookModel

/// The paths of folders that were asked for, as far as they do not fill the memory: one below the other, those of
/// long names would.
///
/// Deep down only one of several folders in a row is kept. So a whole chain of them has its place,
/// in whatever order its paths are asked for, and what lies between is a short walk.
struct FolderPaths {
    /// The path of a folder, and how many steps below the root it stands.
    struct Known {
        var path: String
        var depth: Int
    }

    /// The root, where its path is what others begin with.
    static let top = Known(path: "", depth: 0)

    private let mostBytes: Int
    private var paths: [FileID: Known] = [:]
    /// How deep folders stand at least, whose paths were given up for that.
    private var leastDepths: [FileID: Int] = [:]
    private var byteCount = 0

    init(mostBytes: Int = 64 << 20) {
        self.mostBytes = mostBytes
    }

    subscript(id: FileID) -> Known? { paths[id] }

    mutating func keep(_ path: String, of id: FileID, at depth: Int) {
        let size = path.utf8.count
        guard depth % distance(at: depth, size) == 0 else { return }
        if byteCount + size > mostBytes { forgetPaths() }
        let before = paths.updateValue(Known(path: path, depth: depth), forKey: id)
        byteCount += size - (before?.path.utf8.count ?? 0)
    }

    /// How deep something below the root stands at least, as far as that was found out.
    func leastDepth(of id: FileID) -> Int { paths[id]?.depth ?? leastDepths[id] ?? 1 }

    /// - Parameter chain: a file, which stands at least so deep, and folders above it, from below.
    mutating func keep(leastDepth: Int, of chain: [FileRow]) {
        for (step, row) in chain.enumerated() where row.type == .folder {
            leastDepths[row.id] = max(leastDepth - step, leastDepths[row.id] ?? 0)
        }
    }

    mutating func removeAll() {
        forgetPaths()
        leastDepths = [:]
    }

    private mutating func forgetPaths() {
        paths = [:]
        byteCount = 0
    }

    /// How many steps are between two folders that are kept.
    ///
    /// That is how often a chain this long, all of whose paths had this size, would fill a quarter of
    /// the memory. A power of two: one that is kept deep down is of those that are kept higher up.
    private func distance(at depth: Int, _ size: Int) -> Int {
        let times = 4 * depth * size / mostBytes
        return 1 << (Int.bitWidth - times.leadingZeroBitCount)
    }
}
