import LockbookCrypto
import LockbookModel

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
    let importedLast = LastImported()
    /// About how many bytes were taken in of a folder since what is known of it was put down.
    var learned: [ImportedKey: Int] = [:]
    /// What exports wrote into the folder of the disk that was asked about last.
    var exported: (folder: [UInt8], names: PathSet)?
    /// What is known of the items of another program; nil of files of the disk.
    var foreign: ForeignLedger?
    /// Places that files of this import have in the tree of each owner, as names are compared.
    var claimed: [AccountID: Set<[UInt8]>] = [:]
    /// Where others' files stand in the lockbook, and what of the disk goes there after the rest.
    var links = ImportLinks()
    var linked: [LinkedImport] = []
    /// The link that what is taken in now goes behind, where it came by one.
    var link: SharedPlace?
    /// Others' stores into which something of it went, each once.
    private var others: [LocalStore] = []
    /// What was to go to where this account may only read, and is not told yet.
    var onlyRead: [(source: String, error: LockbookError)] = []
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
    mutating func behindLinks(to store: LocalStore) -> DiskImport {
        // Its changes are of the same command, by whatever links they come there.
        store.joinsChanges = self.store.joinsChanges
        others.append(store)
        var other = self
        other.store = store
        (other.links, other.linked) = (ImportLinks(), [])
        // They come back by `goOn`, and are not copied with each change until then.
        (remembered, before, learned, claimed) = ([:], [:], [:], [:])
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
        (remembered, before, learned) = (other.remembered, other.before, other.learned)
        claimed = other.claimed
    }

    mutating func append(_ item: ImportItem) throws {
        var item = item
        item.link = link
        batch.append(item)
        batchSize += item.bytes?.count ?? 0
        if batch.count >= Self.batchFiles || batchSize >= Self.batchBytes { try flush() }
    }

    mutating func flush() throws {
        guard !batch.isEmpty else { return }
        let items = batch
        batch = []
        batchSize = 0
        let digests = try concurrentMap(items) { Hash256(sha256: $0.bytes ?? []) }
        let due = due(
            items.compactMap { item in item.mark.map { ($0, item.bytes?.count ?? 0) } }
        )
        let (results, news, kept) = try store.change { [options, foreign] tree in
            var batch = ImportBatch(tree: tree, options: options)
            let results = try batch.take(items)
            var kept = due
            for ((item, result), digest) in zip(zip(items, results), digests) {
                guard let mark = item.mark, kept[mark.key] != nil else { continue }
                kept[mark.key]?.files[mark.name] = known(mark, after: result, digest)
            }
            try put(kept, in: tree)
            var news = ForeignMemory()
            if let foreign {
                for (index, item) in items.enumerated() {
                    guard case .success = results[index] else { continue }
                    let file = batch.files[index]
                    news.add(foreign.news(of: item.foreign, file, digests[index]))
                }
                try foreign.put(news, in: tree)
            }
            return (results, news, kept)
        }
        foreign?.learn(news)
        for ((item, result), digest) in zip(zip(items, results), digests) {
            if let mark = item.mark { note(mark, known(mark, after: result, digest)) }
            switch result {
            case .failure(let error):
                let note = item.foreign == nil ? nil : error.keptNote
                try refuse(error, note ?? item.source, behind: item.link)
            case .success(.folder): report.folders += 1
            case .success(.created): count(\.created, item)
            case .success(.updated): count(\.updated, item)
            case .success(.replaced):
                // What another program calls an item tells nobody which note that is.
                if item.foreign != nil { report.replaced?.append(item.path.shown) }
                if item.mark != nil { report.replaced?.append(item.source) }
                count(\.updated, item)
            case .success(.unchanged), .success(.left): count(\.unchanged, item)
            }
        }
        try keep(kept)
    }

    private mutating func count(
        _ field: WritableKeyPath<TransferReport, Int>,
        _ item: ImportItem
    ) {
        let bytes = item.bytes?.count ?? 0
        count(field, bytes: bytes, source: item.source, behind: item.link)
    }

    /// Counts a file; what stays as it is was looked at, and nothing of it taken in.
    /// - Parameter link: the one that it went behind, if any.
    mutating func count(
        _ field: WritableKeyPath<TransferReport, Int>,
        bytes: some BinaryInteger,
        source: String,
        behind link: SharedPlace? = nil
    ) {
        report[keyPath: field] += 1
        let bytes = UInt64(clamping: bytes)
        if field != \TransferReport.unchanged {
            report.bytes += bytes
            if let link { report.noteShared(at: link.link) }
        }
        done = TransferProgress(
            files: done.files + 1,
            bytes: done.bytes + bytes,
            current: source
        )
        progress(done)
    }

    mutating func refuse(
        _ error: LockbookError,
        _ source: String,
        behind link: SharedPlace? = nil
    ) throws {
        guard error.concernsOneFile else { throw error }
        if case .readOnly = error { return onlyRead.append((source, error)) }
        let own = self.own
        problem(source, error.renamed { link?.own($0) ?? own($0) }.importSentence)
    }

    mutating func problem(_ path: String, _ reason: String) {
        report.problems.append(TransferReport.Problem(path: path, reason: reason))
    }
}
