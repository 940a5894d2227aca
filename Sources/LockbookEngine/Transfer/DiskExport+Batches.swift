extension DiskExport {
    /// A batch ends with the first of these.
    static let batchFiles = min(400, max(1, OpenFiles.most / 4))
    private static let batchBytes: UInt64 = 4 << 20
    /// Each of them is held open.
    static let batchFolders = min(48, max(1, OpenFiles.most / 16))
    /// How many folders that others are written into stay open.
    static let keptFolders = min(64, max(1, OpenFiles.most / 16))
    /// How many folders wait for their names at most, each held open.
    static let stagedFolders = min(256, max(1, OpenFiles.most / 16))

    /// Small files in batches, every large one as a batch of its own.
    static func batches(of items: [ExportItem]) -> [ArraySlice<ExportItem>] {
        var batches: [ArraySlice<ExportItem>] = []
        var start = items.startIndex
        var size: UInt64 = 0
        var folders = 0
        var last: String?
        for (index, item) in items.enumerated() {
            let folder = item.folder
            if folder != last { folders += 1 }
            last = folder
            let isFull =
                index - start >= batchFiles || folders > batchFolders || item.isLarge
                || size + item.size > batchBytes
            if isFull, start < index {
                batches.append(items[start..<index])
                start = index
                size = 0
                folders = 1
            }
            if item.isLarge {
                batches.append(items[index...index])
                start = index + 1
                folders = 0
                last = nil
            } else {
                size += item.size
            }
        }
        if start < items.endIndex { batches.append(items[start...]) }
        return batches
    }
}
