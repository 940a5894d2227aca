import Glibc
import LockbookModel

/// Writes what an export found to the disk; small files a batch at a time, on all cores.
struct DiskExport {
    /// A batch ends with the first of these.
    private static let batchFiles = 400
    private static let batchBytes: UInt64 = 4 << 20
    /// Each of them is held open.
    private static let batchFolders = 48

    let lockbook: Lockbook
    let target: ExportTarget
    let known: [String: ExportedFile]
    let force: Bool
    private(set) var report = TransferReport()
    private(set) var written: [ExportedFile] = []
    private var current = ""

    init(
        lockbook: Lockbook,
        target: ExportTarget,
        known: [String: ExportedFile],
        force: Bool
    ) {
        self.lockbook = lockbook
        self.target = target
        self.known = known
        self.force = force
    }

    var progress: TransferProgress {
        TransferProgress(
            files: report.created + report.updated + report.unchanged,
            bytes: report.bytes,
            current: current
        )
    }

    /// Small files in batches, every large one as a batch of its own.
    static func batches(of items: [ExportItem]) -> [ArraySlice<ExportItem>] {
        var batches: [ArraySlice<ExportItem>] = []
        var start = items.startIndex
        var size: UInt64 = 0
        var folders = 0
        var last: ArraySlice<FileName>?
        for (index, item) in items.enumerated() {
            let folder = item.components.dropLast()
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

    mutating func write(_ batch: ArraySlice<ExportItem>) async throws {
        current = batch.last?.path ?? ""
        var tasks: [ExportTask] = []
        for item in batch {
            try note(item) { export in
                switch try export.prepare(item) {
                case .done(let outcome): return outcome
                case .write(let task):
                    tasks.append(task)
                    return nil
                }
            }
        }
        guard let first = tasks.first else { return }
        if tasks.count == 1, first.item.isLarge { return try await writeFetching(first) }
        var contents: [OpenedContent] = []
        var readable: [ExportTask] = []
        for (task, content) in zip(tasks, try open(tasks)) {
            try note(task.item) { _ in
                contents.append(try content.get())
                readable.append(task)
                return nil
            }
        }
        var absent: [ExportTask] = []
        for (task, result) in zip(readable, try ExportTask.run(readable, contents)) {
            guard let result else {
                absent.append(task)
                continue
            }
            try note(task.item) { _ in try result.get() }
        }
        for task in absent { try await writeFetching(task) }
    }

    private func open(_ tasks: [ExportTask]) throws -> [Result<OpenedContent, LockbookError>] {
        try lockbook.store.read { tree in
            try tasks.map { task in
                do {
                    return .success(try tree.openContent(of: task.item))
                } catch let failure as DiskFailure where failure.code == ENOENT {
                    return .failure(.damaged(file: task.item.path, author: ""))
                }
            }
        }
    }

    /// Reads what the export began with, or, when that was replaced meanwhile, what is there now.
    private mutating func writeFetching(_ task: ExportTask) async throws {
        let item = task.item
        let lockbook = lockbook
        let result: Result<ExportOutcome, any Error>
        do {
            let status = try await task.place.write(item) { file in
                switch try lockbook.store.read({ try $0.openContent(of: item) }) {
                case .empty: return
                case .here(var reader): try reader.readAll { try file.write($0) }
                case .absent:
                    try await lockbook.read(.id(prefix: item.id.description)) {
                        try file.write($0)
                    }
                }
            }
            result = .success(task.outcome(status))
        } catch {
            result = .failure(error)
        }
        try note(item) { _ in try result.get() }
    }

    private enum Preparation {
        case done(ExportOutcome)
        case write(ExportTask)
    }

    /// Decides what an item needs.
    private func prepare(_ item: ExportItem) throws -> Preparation {
        guard item.type == .document else {
            try target.makeFolder(item.components)
            return .done(.folder)
        }
        if item.isDamaged { throw LockbookError.damaged(file: item.path, author: "") }
        let place = try target.place(item.components)
        if place.isReserved { return .done(.refused("exports use that name for unfinished files")) }
        guard let present = try place.status() else {
            return .write(ExportTask(item: item, place: place, isUpdate: false))
        }
        guard present.st_mode & S_IFMT == S_IFREG else {
            return .done(.refused("something else than a file stands in its place"))
        }
        let before = known[item.relativePath]
        if let before, before.matches(present), before.version == item.version {
            return .done(.unchanged(before))
        }
        if before?.matches(present) != true, !force {
            // Nobody's file but equal: nothing to do. Different: not ours to overwrite.
            let isEqual = try place.isEqual(size: item.size) { sink in
                switch try lockbook.store.read({ try $0.openContent(of: item) }) {
                case .empty: return
                case .absent(let content): throw LockbookError.contentNotHere(path: content.path)
                case .here(var reader): try reader.readAll(into: sink)
                }
            }
            if isEqual { return .done(.unchanged(ExportedFile(item, status: present))) }
            return .done(
                .refused(
                    before == nil
                        ? "a differing file is there that no earlier export wrote"
                        : "it was changed on disk since the last export"
                )
            )
        }
        return .write(ExportTask(item: item, place: place, isUpdate: true))
    }

    /// Counts an outcome; what concerns one file alone is reported, and the rest goes on.
    private mutating func note(
        _ item: ExportItem,
        _ outcome: (DiskExport) throws -> ExportOutcome?
    ) throws {
        do {
            switch try outcome(self) {
            case nil: return
            case .folder: report.folders += 1
            case .created(let file):
                report.created += 1
                report.bytes += item.size
                written.append(file)
            case .updated(let file):
                report.updated += 1
                report.bytes += item.size
                written.append(file)
            case .unchanged(let file):
                report.unchanged += 1
                // What is remembered already need not be written down again.
                if known[file.relativePath] != file { written.append(file) }
            case .refused(let reason): problem(target.path(of: item.components), reason)
            }
        } catch let error as LockbookError {
            guard error.concernsOneFile else { throw error }
            problem(item.path, error.exportSentence)
        } catch let failure as DiskFailure where failure.code != ENOSPC {
            problem(item.path, failure.reason)
        }
    }

    private mutating func problem(_ path: String, _ reason: String) {
        report.problems.append(TransferReport.Problem(path: path, reason: reason))
    }
}
