import Glibc

/// Opens folders below one, each from the nearest that is open still.
///
/// In the order of a walk that is a step or two from one to the next; each from the top would be as many
/// as it is deep. Step by step, so that no symbolic link leads elsewhere.
struct FolderChain {
    private let top: DiskFile
    /// How many stay open on the way to the last one: those next to it.
    private let most: Int
    /// The last one, below the top.
    private var path = ""
    /// The folders on the way there that are open, and how many bytes of its path lead to each.
    private var open: [(end: Int, folder: DiskFile)] = []

    init(below top: DiskFile, keeping most: Int = DiskExport.keptFolders) {
        (self.top, self.most) = (top, most)
    }

    /// - Parameter path: below the top; empty for that itself.
    mutating func folder(_ path: String) throws -> DiskFile {
        let common = zip(path.utf8, self.path.utf8).prefix { $0 == $1 }.count
        // What ends in the middle of one of these steps is on the way to another name.
        while let last = open.last, last.end > common || !path.hasStep(endingAt: last.end) {
            open.removeLast()
        }
        self.path = path
        var (end, folder) = open.last ?? (end: 0, folder: top)
        for name in String(Substring(path.utf8.dropFirst(end))).steps {
            folder = try folder.descend([name])
            end += (end == 0 ? 0 : 1) + name.utf8.count
            if open.count >= most { open.removeFirst() }
            open.append((end, folder))
        }
        return folder
    }
}

extension DiskFile {
    /// Opens a folder below this one step by step, so that no symbolic link leads elsewhere.
    func descend(_ names: [String]) throws -> DiskFile {
        var folder = self
        for name in names {
            folder = try DiskFile(in: folder, name, flags: O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
        }
        return folder
    }
}

extension String {
    /// Whether one of the steps of a path ends behind so many of its bytes.
    fileprivate func hasStep(endingAt end: Int) -> Bool {
        let rest = utf8.dropFirst(end)
        return rest.isEmpty || rest.first == UInt8(ascii: "/")
    }
}
