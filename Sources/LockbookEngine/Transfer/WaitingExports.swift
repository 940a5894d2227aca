/// Files that are whole beside their places, and wait for being durable.
struct WaitingExports {
    private(set) var files: [(task: ExportTask, written: ExportPlace.Written)] = []
    private(set) var byteCount: UInt64 = 0
    private var begun = 0
    /// Each of them is held open, and so locked.
    private let limit = min(OpenFiles.raiseLimit(to: 4_096), 16_384) - 512

    var isFull: Bool { files.count + DiskExport.batchFiles > limit || byteCount > 64 << 20 }

    /// Whether so many were written since the last time that the disk should begin with them.
    mutating func isTimeToBegin() -> Bool {
        guard files.count - begun >= 2_500 else { return false }
        begun = files.count
        return true
    }

    /// A number that no waiting file has; a file that is written alone has 0.
    var nextNumber: Int { files.count + 1 }

    mutating func append(_ task: ExportTask, _ written: ExportPlace.Written) {
        files.append((task, written))
        byteCount += task.item.size
    }

    mutating func removeAll() {
        files = []
        byteCount = 0
        begun = 0
    }
}
