import LockbookCrypto
import LockbookModel

/// Where the folders are now that imports made, by the places that these gave them.
struct ForeignFolders {
    private let store: LocalStore
    private let target: [FileName]
    /// By their places as paths are compared.
    private var made: [[UInt8]: FileID] = [:]
    private var found: [[UInt8]: [FileName]] = [:]

    init(_ memory: ForeignMemory, at target: [FileName], in store: LocalStore) {
        (self.store, self.target) = (store, target)
        let nothing = Hash256(sha256: [UInt8]())
        for item in memory.items.values {
            if let file = item.file, file.digest == nothing {
                made[ImportPath(item.path).normalized] = file.id
            }
        }
    }

    /// Whether no earlier import is known to have made one.
    var isEmpty: Bool { made.isEmpty }

    /// The path in the lockbook of what has a place below the target: in its folder, wherever
    /// somebody moved that.
    mutating func path(of place: [FileName]) throws -> [FileName] {
        guard let name = place.last else { return target }
        return try folder(Array(place.dropLast())) + [name]
    }

    private mutating func folder(_ place: [FileName]) throws -> [FileName] {
        guard !made.isEmpty, !place.isEmpty else { return target + place }
        let key = ImportPath(place).normalized
        if let path = found[key] { return path }
        let path = try made[key].flatMap { try present($0) } ?? path(of: place)
        found[key] = path
        return path
    }

    /// Where a folder is; nil for what was deleted, or is none.
    private func present(_ file: FileID) throws -> [FileName]? {
        try store.read { tree in
            guard let row = try tree.row(file), row.type == .folder, !row.isDamaged,
                try !tree.isDead(row)
            else { return nil }
            return try LocalTree.names(of: tree.path(of: row))
        }
    }
}
