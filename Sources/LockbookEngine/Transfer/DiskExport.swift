import Glibc
import LockbookCrypto
import LockbookModel

/// Writes what an export found to the disk; small files a batch at a time, on all cores.
struct DiskExport {
    /// This account's own, which remembers what is written.
    let lockbook: Lockbook
    let target: ExportTarget
    let options: ExportOptions
    let ownFolder: OwnFolder
    let importedLast = LastImported()
    var report = TransferReport()
    var ledger: ExportLedger
    /// Whether something on the disk changed.
    var hasWritten = false
    /// What can be written only when something else was removed.
    var blocked: [ExportItem] = []
    /// What takes the place of an earlier copy of another note, and of which: that has its new name on
    /// the disk first.
    var displacing: [(item: ExportItem, note: FileID)] = []
    /// What cannot be read and has no copy under its name, by its path below the target.
    var unread: PathSet = []
    /// The documents that could not be written where they belong.
    var unwritten: [ExportItem] = []
    /// Whether nothing more will be removed.
    var isLast = false
    /// Folders that could not be made, and those in them: which problem tells of it.
    var unmade: PathMap<Int> = [:]
    /// How much was to go into the folders that a problem tells of.
    var leftInside: [Int: Int] = [:]
    /// How often files that were to take their places were put down.
    var foreseen = 0
    private var current = ""
    private var waiting = WaitingExports()

    init(
        lockbook: Lockbook,
        target: ExportTarget,
        ledger: ExportLedger,
        options: ExportOptions
    ) throws {
        self.lockbook = lockbook
        self.target = target
        self.ledger = ledger
        self.options = options
        ownFolder = try OwnFolder(lockbook.account.directory)
    }

    private var progress: TransferProgress {
        TransferProgress(
            files: report.created + report.updated + report.unchanged + waiting.files.count,
            bytes: report.bytes + waiting.byteCount,
            current: current
        )
    }

    /// Writes first and removes then: what was moved is at no moment missing from the disk.
    mutating func write(_ plan: ExportPlan, progress: (TransferProgress) -> Void) async throws {
        note(spared: plan)
        report.problems += plan.problems
        ledger.begin(plan)
        removeLeftovers(outside: plan)
        try makeFolders(of: plan)
        try await write(plan.items, progress: progress)
        if options.mirror {
            // What was moved has its new name on the disk before it loses the old one.
            if hasWritten { try target.finishNames() }
            try await replaceGone(after: plan)
            try removeGone(after: plan)
        }
        tellLeftInside()
        if hasWritten { try target.finishNames() }
    }

    private mutating func note(spared plan: ExportPlan) {
        for path in plan.spared {
            report.unchanged += ledger.memory.folders[path]?.files.count ?? 0
            // A folder whose own folder is looked at is counted there.
            if !path.isEmpty, plan.spares(folderOf: path) { report.folders += 1 }
        }
    }

    /// Makes what has no item: the target itself, and a folder in one that is spared.
    private mutating func makeFolders(of plan: ExportPlan) throws {
        let paths = plan.folders.keys.filter { $0.isEmpty || plan.spares(folderOf: $0) }
        // The same warnings come in the same order.
        for path in paths.sorted() {
            do {
                let (status, isNew) = try target.makeFolder(path)
                guard !ownFolder.isSame(as: status) else {
                    leaveOut(folder: path, target.path(of: path), OwnFolder.obstacle)
                    continue
                }
                let isMade = isNew || path.isEmpty && target.isMade
                ledger.note(folder: path, status, made: isMade)
                hasWritten = hasWritten || isMade
                if isMade { noteMode(status, path) }
                if !path.isEmpty { report.folders += 1 }
            } catch let failure as DiskFailure where !failure.endsExport {
                leaveOut(folder: path, failure.path, failure.folderReason)
            }
        }
    }

    /// Writes files beside their places, makes as many as may wait durable at once, and lets each
    /// take its place then.
    mutating func write(_ items: [ExportItem], progress: (TransferProgress) -> Void) async throws {
        do {
            // Fetching what is not here takes a while: its progress is shown file by file.
            for batch in Self.batches(of: items) {
                if waiting.isFull || target.stagedCount >= Self.stagedFolders {
                    try keepWaiting()
                }
                if waiting.isTimeToBegin() { target.begin() }
                try await write(batch)
                progress(self.progress)
            }
        } catch {
            // What could be written is not lost with the rest.
            try? keepWaiting()
            throw error
        }
        try keepWaiting()
    }

    private mutating func keepWaiting() throws {
        let files = waiting.files
        guard !files.isEmpty || target.stagedCount > 0 else { return }
        waiting.removeAll()
        defer { target.discardStaged() }
        let unplaced: StagedFolders.Unplaced
        do {
            try target.finish()
            try foresee(files)
            unplaced = try target.placeStaged()
        } catch {
            for (task, written) in files { task.place.discard(written) }
            throw error
        }
        for (paths, failure) in unplaced.refused { leaveOut(staged: paths, failure) }
        let moved = PathSet(unplaced.taken)
        var fatal: (any Error)?
        for (task, written) in files {
            if isLeftWithFolder(task.item) { continue }
            if task.isCopy { ledger.noteCopy(in: task.item.folder) }
            do {
                try target.noteName(in: written.folder, at: task.item.folder)
                try note(task.item) { export in
                    var task = task
                    if moved.contains(task.item.folder) {
                        task.place = try export.target.place(task.item.relativePath)
                    }
                    return try task.keep(written)
                }
            } catch {
                fatal = fatal ?? error
            }
        }
        if let fatal { throw fatal }
    }

    private mutating func write(_ batch: ArraySlice<ExportItem>) async throws {
        current = batch.last?.path ?? ""
        var tasks: [ExportTask] = []
        for item in batch {
            if isLeftWithFolder(item) { continue }
            if let task = try await task(for: item) { tasks.append(task) }
        }
        guard let first = tasks.first else { return }
        if tasks.count == 1, first.item.isLarge { return try await writeFetching(first) }
        let contents = try tasks.map(\.item).openContents()
        var absent: [ExportTask] = []
        let numbers = waiting.takeNumbers(tasks.count)
        let results = try ExportTask.write(tasks, contents, numbers)
        var fatal: (any Error)?
        for (task, result) in zip(tasks, results) {
            switch result {
            case nil: absent.append(task)
            case .success(let written): hold(task, written)
            case .failure(let error):
                do {
                    try note(task.item) { _ in throw error }
                } catch {
                    fatal = fatal ?? error
                }
            }
        }
        if let fatal { throw fatal }
        for task in absent { try await writeFetching(task) }
    }

    /// What is to be written of an item; nil where nothing is.
    ///
    /// A content that is on the server alone is fetched where a file is to be compared with it.
    private mutating func task(for item: ExportItem) async throws -> ExportTask? {
        let before = ledger.known(item)
        var task: ExportTask?
        for isFetched in [false, true] {
            var absent: AbsentContent?
            try note(item) { export in
                do {
                    switch try export.prepare(item, before) {
                    case .done(let outcome): return outcome
                    case .write(let prepared): task = prepared
                    }
                } catch let error as LockbookError {
                    guard case .contentNotHere = error, !isFetched,
                        case .absent(let content) = try item.openContent()
                    else { throw error }
                    absent = content
                }
                return nil
            }
            guard let absent else { break }
            do {
                try await item.lockbook.fetch(absent, toRead: true)
            } catch {
                try note(item) { _ in throw error }
                break
            }
        }
        return task
    }

    /// Reads what the export began with, or, when that was replaced meanwhile, what is there now.
    private mutating func writeFetching(_ task: ExportTask) async throws {
        let item = task.item
        let number = waiting.takeNumbers(1).lowerBound
        let result: Result<ExportPlace.Written, any Error>
        do {
            var hasher = Hasher256()
            var whole = try await task.place.write(item.style, number: number) { file in
                try await item.read {
                    hasher.update($0)
                    try file.write($0)
                }
            }
            whole.digest = hasher.finish()
            result = .success(whole)
        } catch {
            result = .failure(error)
        }
        var written: ExportPlace.Written?
        try note(item) { _ in
            written = try result.get()
            return nil
        }
        if let written { hold(task, written) }
    }

    private mutating func hold(_ task: ExportTask, _ written: ExportPlace.Written) {
        noteMode(written.status, task.item.relativePath)
        if !written.isDated { noteTime(task.item.relativePath) }
        waiting.append(task, written)
    }
}
