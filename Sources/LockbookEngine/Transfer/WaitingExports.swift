/// Files that are whole beside their places, and wait for being durable.
struct WaitingExports {
    private(set) var files: [(task: ExportTask, written: ExportPlace.Written)] = []
    private(set) var byteCount: UInt64 = 0
    private var begun = 0
    private var numbered = 0
    /// Those that they stand in.
    private var folders: Set<ObjectIdentifier> = []
    /// Each of them is held open, and so locked, and so is each of their folders.
    private let limit = OpenFiles.most - min(512, OpenFiles.most / 2)

    /// Whether the next batch might be too much.
    var isFull: Bool {
        let next = DiskExport.batchFiles + DiskExport.batchFolders
        return files.count + folders.count + next > limit || byteCount > 64 << 20
    }

    /// Whether so many were written since the last time that the disk should begin with them.
    mutating func isTimeToBegin() -> Bool {
        guard files.count - begun >= 2_500 else { return false }
        begun = files.count
        return true
    }

    /// Numbers for files that are to be written beside their places, none of which any other has,
    /// also where not all of these are written.
    mutating func takeNumbers(_ count: Int) -> Range<Int> {
        defer { numbered += count }
        return numbered + 1..<numbered + 1 + count
    }

    mutating func append(_ task: ExportTask, _ written: ExportPlace.Written) {
        files.append((task, written))
        folders.insert(ObjectIdentifier(written.folder))
        byteCount += task.item.size
    }

    mutating func removeAll() {
        files = []
        folders = []
        byteCount = 0
        begun = 0
    }
}
