import LockbookModel

/// Writes what an export found into one stream of bytes; memory does not grow with the contents.
struct ArchiveExport<Writer: ArchiveWriter> {
    typealias Sink = (_ bytes: [UInt8]) throws -> Void

    /// So much is gathered before it is passed on.
    private static var pieceByteCount: Int { 262_144 }

    private var writer: Writer
    private let plan: ExportPlan
    private var waiting: [UInt8] = []
    private(set) var report = TransferReport()

    init(_ writer: Writer, of plan: ExportPlan) {
        (self.writer, self.plan) = (writer, plan)
        report.problems = plan.problems
    }

    /// - Parameter sink: gets the archive piece by piece.
    mutating func write(progress: (TransferProgress) -> Void, into sink: Sink) async throws {
        let top = plan.top
        if top.type == .folder, top.name != nil {
            let entry = try top.lockbook.store.read { tree -> DirectoryEntry? in
                try tree.row(top.id).map { try tree.entry($0) }
            }
            let modified = entry?.modified ?? Timestamp(milliseconds: 0)
            try begin(folder: path(), modified: modified, into: sink)
        }
        for batch in DiskExport.batches(of: plan.items) {
            try await write(batch, into: sink)
            progress(
                TransferProgress(
                    files: report.created,
                    bytes: report.bytes,
                    current: batch.last?.path ?? ""
                )
            )
        }
        try pass(writer.finish(), isLast: true, into: sink)
    }

    /// - Parameter path: below the top of the archive; empty for that itself.
    private func path(_ path: String = "") -> String {
        guard let top = plan.top.name?.text else { return path }
        return path.isEmpty ? top : "\(top)/\(path)"
    }

    private mutating func write(_ batch: ArraySlice<ExportItem>, into sink: Sink) async throws {
        let documents = batch.filter { $0.type == .document && !$0.isLarge && !$0.isDamaged }
        var contents = try open(documents)[...]
        for item in batch {
            if item.isDamaged {
                problem(item, LockbookError.damaged(file: item.path, author: "").exportSentence)
            } else if item.type == .folder {
                try begin(folder: path(item.relativePath), modified: item.modified, into: sink)
                report.folders += 1
            } else if item.isLarge {
                try await stream(item, into: sink)
            } else {
                switch contents.popFirst() {
                case .success(let content?)?:
                    let entry = entry(item, size: UInt64(content.bytes.count))
                    try pass(writer.begin(entry, checksum: content.checksum), into: sink)
                    try pass(content.bytes, into: sink)
                    try end(entry, into: sink)
                case .failure(let error)?:
                    guard let error = error as? LockbookError, error.concernsOneFile else {
                        throw error
                    }
                    problem(item, error.exportSentence)
                case .success(nil)?, nil: try await stream(item, into: sink)
                }
            }
        }
    }

    private struct Content: Sendable {
        let bytes: [UInt8]
        let checksum: UInt32
    }

    /// Opens small contents on all cores.
    /// - Returns: for each its bytes; nil for one that has to be fetched first.
    private func open(_ items: [ExportItem]) throws -> [Result<Content?, any Error>] {
        try concurrentMap(items.openContents()) { content in
            Result {
                switch content {
                case .empty: return Content(bytes: [], checksum: 0)
                case .absent: return nil
                case .here(var reader):
                    let bytes = try reader.bytes()
                    var checksum = CRC32()
                    if Writer.needsChecksum { checksum.update(bytes) }
                    return Content(bytes: bytes, checksum: checksum.value)
                }
            }
        }
    }

    /// Reads a content twice: nothing of one that is damaged gets into the archive.
    private mutating func stream(_ item: ExportItem, into sink: Sink) async throws {
        var size: UInt64 = 0
        var checksum = CRC32()
        do {
            try await item.read { bytes in
                size += UInt64(bytes.count)
                if Writer.needsChecksum { checksum.update(bytes) }
            }
        } catch let error as LockbookError where error.concernsOneFile {
            return problem(item, error.exportSentence)
        }
        let entry = entry(item, size: size)
        try pass(writer.begin(entry, checksum: checksum.value), into: sink)
        var left = size
        var waiting = waiting
        try await item.read { bytes in
            guard UInt64(bytes.count) <= left else { throw Self.changed(item) }
            left -= UInt64(bytes.count)
            waiting += bytes
            if waiting.count >= Self.pieceByteCount {
                try sink(waiting)
                waiting = []
            }
        }
        self.waiting = waiting
        guard left == 0 else { throw Self.changed(item) }
        try end(entry, into: sink)
    }

    private static func changed(_ item: ExportItem) -> LockbookError {
        .busy(what: "\(item.path) was changed while it was read")
    }

    private func entry(_ item: ExportItem, size: UInt64) -> ArchiveEntry {
        ArchiveEntry(
            path: path(item.relativePath),
            isFolder: false,
            size: size,
            modified: item.modified,
            isExecutable: item.isExecutable
        )
    }

    private mutating func begin(folder path: String, modified: Timestamp, into sink: Sink) throws {
        let entry = ArchiveEntry(
            path: path,
            isFolder: true,
            size: 0,
            modified: modified,
            isExecutable: false
        )
        try pass(writer.begin(entry, checksum: 0), into: sink)
    }

    private mutating func end(_ entry: ArchiveEntry, into sink: Sink) throws {
        try pass(writer.end(entry), into: sink)
        report.created += 1
        report.bytes += entry.size
    }

    private mutating func pass(_ bytes: [UInt8], isLast: Bool = false, into sink: Sink) throws {
        waiting += bytes
        guard isLast || waiting.count >= Self.pieceByteCount else { return }
        try sink(waiting)
        waiting = []
    }

    private mutating func problem(_ item: ExportItem, _ reason: String) {
        report.problems.append(TransferReport.Problem(path: item.path, reason: reason))
    }
}
