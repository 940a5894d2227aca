import LockbookCrypto
import LockbookModel

/// What an import of another program's notes knows of them, and learns.
///
/// What a transaction takes in is put down with it, beside what was known before: an import that is
/// killed then knows it the next time. All becomes one again at the end.
struct ForeignLedger {
    private(set) var memory: ForeignMemory
    private let program: NoteProgram
    private let target: [FileName]
    private let key: ImportedKey
    /// How many parts stand beside what was known before, as far as this import knows.
    private var parts: Int

    /// - Parameters:
    ///   - target: where the import goes.
    ///   - folder: what stands there; nil for nothing.
    init(_ program: NoteProgram, at target: [FileName], _ folder: FileID?, in tree: LocalTree)
        throws
    {
        (self.program, self.target) = (program, target)
        key = try tree.foreignKey(program, at: ImportPath(target), folder)
        (memory, parts) = try tree.importedItems(key, program)
    }

    /// What is known of an item from now on, where that is something else than before.
    /// - Parameter digest: of what was taken in.
    func news(of mark: ForeignMark?, _ file: FileID?, _ digest: Hash256) -> ForeignMemory {
        var news = ForeignMemory()
        guard let mark else { return news }
        let file = file.map { ForeignFile(id: $0, digest: digest) }
        let item = ForeignItem(path: mark.path, file: file)
        if memory.items[mark.id] != item { news.items[mark.id] = item }
        return news
    }

    /// Puts down what is learned, in the transaction that makes it so; `learn` comes next.
    func put(_ news: ForeignMemory, in tree: LocalTree) throws {
        guard !news.items.isEmpty else { return }
        // Another import that is at work here has its own, or has made all of them one.
        var part = parts
        while part > 0, try !hasPart(part - 1, in: tree) { part -= 1 }
        while try hasPart(part, in: tree) { part += 1 }
        try tree.remember(news, at: tree.foreignKey(program, part: part, of: key))
        try noteFolder(in: tree)
    }

    private func hasPart(_ part: Int, in tree: LocalTree) throws -> Bool {
        try tree.hasImported(tree.foreignKey(program, part: part, of: key))
    }

    mutating func learn(_ news: ForeignMemory) {
        guard !news.items.isEmpty else { return }
        parts += 1
        memory.add(news)
    }

    /// Puts down all as one.
    func keep(in tree: LocalTree) throws {
        try noteFolder(in: tree)
        guard parts > 0 else { return }
        // Another import may have come to its end here meanwhile, or be at work: without its parts these
        // would not be one behind the other.
        var (all, present) = try tree.importedItems(key, program)
        all.add(memory)
        try tree.remember(all, at: key)
        for part in 0..<present {
            try tree.forgetImported(tree.foreignKey(program, part: part, of: key))
        }
    }

    /// By what folder of the lockbook all this is found, whatever that is called later.
    private func noteFolder(in tree: LocalTree) throws {
        guard let folder = try tree.standing(at: target) else { return }
        try tree.remember(key, of: program, in: folder.id)
    }
}

extension ForeignMemory {
    mutating func add(_ news: ForeignMemory) {
        for (id, item) in news.items { items[id] = item }
    }
}

extension ImportedKey {
    fileprivate init(_ program: NoteProgram, _ target: String, _ device: DeviceKey) {
        self.init(source: Array(program.rawValue.utf8), target: target, device: device)
    }
}

extension LocalTree {
    /// Where is remembered what exports of a program became in a folder of the lockbook.
    ///
    /// That is known by the path that the folder had when the first of them came, whatever it is
    /// called now.
    /// - Parameter folder: nil where there is none at the path.
    fileprivate func foreignKey(
        _ program: NoteProgram,
        at path: ImportPath,
        _ folder: FileID?
    ) throws -> ImportedKey {
        let known = try folder.flatMap { try importedBytes(folderKey(program, $0)) }
        return known.map(ImportedKey.init(bytes:))
            ?? ImportedKey(program, path.text, account.deviceKey)
    }

    /// Puts down where that is.
    fileprivate func remember(_ key: ImportedKey, of program: NoteProgram, in folder: FileID) throws
    {
        let place = folderKey(program, folder)
        if try importedBytes(place) != key.bytes { try remember(key.bytes, at: place) }
    }

    /// No path is like this: each begins with a slash.
    private func folderKey(_ program: NoteProgram, _ folder: FileID) -> ImportedKey {
        ImportedKey(program, "id:\(folder)", account.deviceKey)
    }

    /// Where is what an import learned, and did not come to its end; nor is any path like this.
    fileprivate func foreignKey(_ program: NoteProgram, part: Int, of key: ImportedKey)
        -> ImportedKey
    {
        ImportedKey(program, "\(part):\(key.bytes.hex)", account.deviceKey)
    }

    /// What was taken in of another program, and how many parts of that are put down by themselves;
    /// empty when nothing is known.
    fileprivate func importedItems(_ key: ImportedKey, _ program: NoteProgram) throws
        -> (memory: ForeignMemory, parts: Int)
    {
        func memory(at key: ImportedKey) throws -> ForeignMemory? {
            try importedBytes(key).map { (try? ForeignMemory(decoding: $0)) ?? ForeignMemory() }
        }
        var all = try memory(at: key) ?? ForeignMemory()
        var parts = 0
        while let part = try memory(at: foreignKey(program, part: parts, of: key)) {
            all.add(part)
            parts += 1
        }
        return (all, parts)
    }

    fileprivate func remember(_ memory: ForeignMemory, at key: ImportedKey) throws {
        try remember(memory.encoded(), at: key)
    }
}
