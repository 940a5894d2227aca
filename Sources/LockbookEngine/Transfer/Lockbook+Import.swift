import LockbookCrypto
import LockbookModel

extension Lockbook {
    /// Takes files and folders of the disk in, as `cp -r` does; a second time only what changed.
    ///
    /// A file in a folder that was taken in before is not read when it looks as it did then and its
    /// document is still there, whatever became of that. Nothing is ever deleted.
    /// Everything that can be taken in is, in batches that are durable one by one; the rest is in
    /// the report.
    /// The lockbook's own folder is passed by, and that of any other lockbook.
    /// - Parameter sources: paths on disk; `DIR/.` stands for the contents of DIR.
    /// - Throws: `.io` when none of the sources can be read; `.badPath` for the lockbook's own folder.
    public func importFromDisk(
        _ sources: [String],
        to destination: String,
        options: ImportOptions = ImportOptions(),
        progress: (TransferProgress) -> Void
    ) throws -> TransferReport {
        try refuseOwnFolder(sources)
        // Found out before anything is taken: what goes on behind a link goes there as a whole.
        let place = try across(.path(destination)) { () -> SharedPlace? in
            try store.read { tree in
                let row = try tree.find(path: destination)
                if let crossing = try row.flatMap(tree.crossing) { throw crossing }
            }
            return nil
        } there: {
            $0
        }
        return try withoutActuallyEscaping(progress) { progress in
            guard let place, case .path(let below) = place.reference else {
                return try importFiles(
                    sources,
                    to: destination,
                    options: options,
                    progress: progress
                )
            }
            // As many batches as it takes, here as there.
            place.lockbook.store.joinsChanges = store.joinsChanges
            do {
                return try place.lockbook.importFiles(
                    sources,
                    to: below,
                    options: options,
                    own: place.own,
                    progress: progress
                )
            } catch let error as LockbookError {
                throw error.renamed(place.own)
            }
        }
    }

    /// - Parameter own: a path of this tree as the user knows it.
    private func importFiles(
        _ sources: [String],
        to destination: String,
        options: ImportOptions,
        own: @escaping (String) -> String = { $0 },
        progress: @escaping (TransferProgress) -> Void
    ) throws -> TransferReport {
        var importing = DiskImport(store: store, options: options, progress: progress)
        importing.own = own
        importing.links = try store.read { try ImportLinks($0) }
        var missing = 0
        for source in sources {
            do {
                try importing.add(source, to: destination, isOnly: sources.count == 1)
            } catch let failure as DiskFailure {
                missing += 1
                guard missing < sources.count else {
                    throw LockbookError.io(path: failure.path, reason: failure.reason)
                }
                importing.report.problems.append(
                    TransferReport.Problem(path: failure.path, reason: failure.reason)
                )
            }
        }
        try importing.flush()
        try importing.keepMemory()
        let shares = OpenShares(of: self)
        let ending = Result<Void, any Error> {
            do {
                for linked in importing.linked { try take(linked, in: shares, &importing) }
            } catch {
                try? importing.keepMemory()
                throw error
            }
            try importing.keepMemory()
        }
        // What is in is one command, whatever kept the rest out.
        try importing.joinCommands()
        try ending.get()
        return importing.report
    }

    /// What cannot go behind its link is named; the rest goes on.
    private func take(
        _ linked: LinkedImport,
        in shares: OpenShares,
        _ importing: inout DiskImport
    ) throws {
        do {
            let place = try shares.place(behind: linked.link.target, link: linked.link.path)
            try importing.take(linked, to: place)
        } catch LockbookError.leadsNowhere {
            importing.problem(linked.path, "what its link leads to is not here")
        } catch LockbookError.readOnly {
            importing.problem(linked.path, "you may only read what is shared with you there")
        }
    }
}

/// Walks the disk and writes what it finds in batches of one transaction each.
struct DiskImport {
    /// A batch ends with the first of these.
    static let batchFiles = 4_000
    static let batchBytes = 8 << 20

    private(set) var store: LocalStore
    let options: ImportOptions
    let progress: (TransferProgress) -> Void
    let ownFolder: OwnFolder?
    var report = TransferReport()
    var batch: [ImportItem] = []
    var batchSize = 0
    /// What is to be put down of every folder that was walked, and what was known of it before.
    var remembered: [ImportedKey: ImportedFolder] = [:]
    var before: [ImportedKey: ImportedFolder] = [:]
    /// Places in the lockbook that files of this import have, as names are compared.
    var claimed: Set<[UInt8]> = []
    /// Where others' files stand in the lockbook, and what of the disk goes there after the rest.
    var links = ImportLinks()
    var linked: [LinkedImport] = []
    /// Others' stores into which something of it went, each once.
    private var others: [LocalStore] = []
    /// A path of the store as the user knows it.
    var own: (String) -> String = { $0 }
    private var done = TransferProgress(files: 0, bytes: 0, current: "")

    init(
        store: LocalStore,
        options: ImportOptions,
        progress: @escaping (TransferProgress) -> Void
    ) {
        self.store = store
        self.options = options
        self.progress = progress
        (report.replaced, report.shared) = ([], [])
        ownFolder = try? OwnFolder(store.context.account.directory)
    }

    /// The same import into another store, where nothing is taken in yet; `goOn` comes next.
    mutating func behindLink(to place: SharedPlace) -> DiskImport {
        let store = place.lockbook.store
        // Its changes are of the same command, by whatever links they come there.
        store.joinsChanges = self.store.joinsChanges
        if !others.contains(where: { $0 === store }) { others.append(store) }
        var other = self
        other.store = store
        other.own = place.own
        (other.links, other.linked) = (ImportLinks(), [])
        other.claimed = []
        // They come back by `goOn`, and are not copied with each change until then.
        (remembered, before) = ([:], [:])
        return other
    }

    /// Makes one command of what it changed in several stores.
    func joinCommands() throws {
        guard store.joinsChanges else { return }
        try LocalStore.joinCommands(of: [store] + others)
    }

    /// Takes over what was counted and learned since.
    mutating func goOn(after other: DiskImport) {
        (report, done) = (other.report, other.done)
        (remembered, before) = (other.remembered, other.before)
    }

    mutating func append(_ item: ImportItem) throws {
        batch.append(item)
        batchSize += item.bytes?.count ?? 0
        if batch.count >= Self.batchFiles || batchSize >= Self.batchBytes { try flush() }
    }

    mutating func flush() throws {
        guard !batch.isEmpty else { return }
        let items = batch
        batch = []
        batchSize = 0
        let results = try store.change { [options] tree in
            var batch = ImportBatch(tree: tree, options: options)
            return try batch.take(items)
        }
        let digests = try concurrentMap(items) { Hash256(sha256: $0.bytes ?? []) }
        for ((item, result), digest) in zip(zip(items, results), digests) {
            switch result {
            case .success(.left): remember(item.mark, item.mark?.before?.digest)
            case .success: remember(item.mark, digest)
            case .failure(let error) where error.leavesNote: keepRefused(item.mark)
            case .failure: keepKnown(item.mark)
            }
            switch result {
            case .failure(let error): try refuse(error, item.source)
            case .success(.folder): report.folders += 1
            case .success(.created):
                count(\.created, bytes: item.bytes?.count ?? 0, source: item.source)
            case .success(.updated):
                count(\.updated, bytes: item.bytes?.count ?? 0, source: item.source)
            case .success(.replaced):
                // What a program exported is never remembered: its notes are made of it all the same.
                if item.mark != nil { report.replaced?.append(item.source) }
                count(\.updated, bytes: item.bytes?.count ?? 0, source: item.source)
            case .success(.unchanged), .success(.left):
                count(\.unchanged, bytes: item.bytes?.count ?? 0, source: item.source)
            }
        }
    }

    /// Counts a file; what stays as it is was looked at, and nothing of it taken in.
    mutating func count(
        _ field: WritableKeyPath<TransferReport, Int>,
        bytes: some BinaryInteger,
        source: String
    ) {
        report[keyPath: field] += 1
        let bytes = UInt64(clamping: bytes)
        if field != \TransferReport.unchanged { report.bytes += bytes }
        done = TransferProgress(
            files: done.files + 1,
            bytes: done.bytes + bytes,
            current: source
        )
        progress(done)
    }

    mutating func refuse(_ error: LockbookError, _ source: String) throws {
        guard error.concernsOneFile else { throw error }
        problem(source, error.renamed(own).importSentence)
    }

    mutating func problem(_ path: String, _ reason: String) {
        report.problems.append(TransferReport.Problem(path: path, reason: reason))
    }
}

extension LockbookError {
    /// Whether the rest of an import or export can go on.
    var concernsOneFile: Bool {
        switch self {
        case .changedHere, .undecidedHere, .ofAnotherOwner, .exists, .notAFolder, .notADocument,
            .badName, .badPath, .damaged, .contentNotHere, .contentGone, .ownerDeleted, .badContent,
            .notFound, .root:
            true
        default: false
        }
    }

    /// Whether a file was left out because of what somebody made of its note.
    var leavesNote: Bool {
        switch self {
        case .changedHere, .undecidedHere: true
        default: false
        }
    }

    /// Whether a file that could be taken in was left out.
    var leavesOut: Bool {
        if case .ofAnotherOwner = self { true } else { leavesNote }
    }

    fileprivate var importSentence: String {
        switch self {
        case .changedHere: "the note was changed in the lockbook; --force takes the file's text"
        case .undecidedHere(_, let isListed):
            "the note has an undecided conflict, "
                + (isListed
                    ? "which `lockbook conflicts` lists" : "of which markers stand in its text")
                + "; --force takes the file's text"
        case .ofAnotherOwner:
            "it belongs to something else of this name, which another account or you owned; "
                + "--force takes it into this"
        case .exists: "a folder of that name is there already"
        case .notAFolder(let path): "\(path) is a document, not a folder"
        case .notADocument: "a folder of that name is there already"
        case .damaged: "the document that is there does not open"
        case .badName(_, let reason), .badPath(_, let reason): reason
        default: "\(self)"
        }
    }
}
