import LockbookModel

/// The trash as it is at one moment, read once for however many references.
struct TrashIndex {
    private let tree: LocalTree
    private let hasEnded: (FileRow) throws -> Bool
    private var rows: [FileRow]
    private var ids: [String]
    /// Whether what is in deleted folders is among them.
    private var isWhole = false
    /// Made when the first path is asked for.
    private var byPath: [[[UInt8]]: [Int]]?
    private var taken: Set<Int> = []

    /// - Parameter hasEnded: whether something is a link to what was taken back: no list of the trash
    ///   shows it.
    init(
        _ tree: LocalTree,
        hasEnded: @escaping (FileRow) throws -> Bool = { _ in false }
    ) throws {
        self.tree = tree
        self.hasEnded = hasEnded
        rows = try tree.trashedRows()
        ids = rows.map(\.id.description)
    }

    /// How many files were deleted by themselves.
    var count: Int { rows.count }

    /// The file that a reference names.
    /// - Throws: `.notInTrash`, `.ambiguous` where several were deleted at one path.
    mutating func find(_ reference: FileReference) throws -> FileRow {
        rows[try index(of: reference)]
    }

    /// The file that a reference names, also one that went with a folder that it stands in.
    ///
    /// The next reference means another one, if there is any that it may mean.
    mutating func take(_ reference: FileReference) throws -> FileRow {
        let index = try innerIndex(of: reference)
        taken.insert(index)
        return rows[index]
    }

    /// The file that a reference names, also one that went with a folder that it stands in.
    mutating func findInner(_ reference: FileReference) throws -> FileRow {
        rows[try innerIndex(of: reference)]
    }

    /// The file that a reference names; where none was deleted there, the folder that is there.
    ///
    /// The root is none: a word that a script left empty does not mean all of the trash.
    /// - Throws: `.notInTrash`; `.ambiguous` also where something was deleted both there and in the
    ///   folder that is there: who was told of the one would purge the other.
    mutating func findPlace(_ reference: FileReference) throws -> FileRow {
        var (folder, several): (FileRow?, LockbookError?)
        do {
            folder = try tree.findReadable(reference)
                .flatMap { $0.type == .folder && $0.id != tree.root ? $0 : nil }
        } catch let failure as LockbookError {
            // What begins several ids that are there may begin one in the trash.
            guard case .ambiguous = failure else { throw failure }
            several = failure
        }
        do {
            let row = try findInner(reference)
            guard let folder, folder.id != row.id, try !tree.trashedRows(below: folder).isEmpty
            else { return row }
            throw LockbookError.ambiguous(
                prefix: reference.text,
                matches: [row, folder].map { "id:\($0.id.description.prefix(12))" }
            )
        } catch let failure as LockbookError {
            guard case .notInTrash = failure else { throw failure }
            guard let folder else { throw several ?? failure }
            return folder
        }
    }

    private mutating func innerIndex(of reference: FileReference) throws -> Int {
        do { return try index(of: reference) } catch let failure as LockbookError {
            guard case .notInTrash = failure else { throw failure }
            // What is named twice is one file, though one that a list of the trash does not show may
            // have stood there, too.
            if let again = try matches(reference).first(where: taken.contains) { return again }
            guard !isWhole else { throw failure }
            try addInner()
            return try index(of: reference)
        }
    }

    private mutating func addInner() throws {
        isWhole = true
        byPath = nil
        var known = Set(rows.map(\.id))
        for row in rows where row.type == .folder {
            try tree.walkDead(below: row) { inner in
                guard known.insert(inner.id).inserted, !inner.isDamaged else { return }
                rows.append(inner)
                ids.append(inner.id.description)
            }
        }
    }

    private mutating func index(of reference: FileReference) throws -> Int {
        let matches = try matches(reference).filter { !taken.contains($0) }
        return try matches.theOne(
            orNone: .notInTrash(path: reference.text),
            orSeveral: .ambiguous(
                prefix: reference.text,
                matches: matches.map { "id:\(ids[$0].prefix(12))" }
            )
        )
    }

    private mutating func matches(_ reference: FileReference) throws -> [Int] {
        switch reference {
        case .id(let text):
            let (prefix, rest) = text.idAndPath
            guard !rest.isEmpty else {
                return text.isEmpty ? [] : ids.indices.filter { ids[$0].hasPrefix(text) }
            }
            // Below a folder that is there, or in the trash itself.
            var found: Set<Int> = []
            for folder in try tree.rows(idPrefix: prefix, atMost: .max) {
                let path = try tree.path(of: folder) + rest
                for index in try matches(.path(path))
                where try folder.id == tree.root || tree.stands(rows[index], in: folder.id) {
                    found.insert(index)
                }
            }
            return found.sorted()
        case .path(let path):
            let wanted = try Self.steps(of: path)
            let known = try byPath ?? paths()
            byPath = known
            return try shown(known[wanted] ?? [])
        }
    }

    /// Those of several at one path that a list of the trash shows; one of them where it shows none.
    private func shown(_ found: [Int]) throws -> [Int] {
        guard found.count > 1 else { return found }
        let shown = try found.filter { try !hasEnded(rows[$0]) }
        return shown.isEmpty ? Array(found.prefix(1)) : shown
    }

    private func paths() throws -> [[[UInt8]]: [Int]] {
        var found: [[[UInt8]]: [Int]] = [:]
        for (index, row) in rows.enumerated() {
            found[try Self.steps(of: tree.path(of: row)), default: []].append(index)
        }
        return found
    }

    private static func steps(of path: String) throws -> [[UInt8]] {
        try LocalTree.names(of: path).map(\.normalized)
    }
}
