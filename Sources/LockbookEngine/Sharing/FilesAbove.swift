import LockbookModel

/// Finds which of some files are above many others: each folder on the way up is gone through once.
///
/// What was found holds as long as each stands where it does.
final class FilesAbove {
    private let isMeant: (FileID) throws -> Bool
    private let root: FileID
    private let above: (FileID) throws -> FileID?
    /// Those that came later.
    private var included: Set<FileID> = []
    /// The nearest of the files from each that a way led over; nil in it where there is none.
    private var known: [FileID: FileID?] = [:]
    /// From where ways without any of them came to a file.
    private var below: [FileID: [FileID]] = [:]

    /// - Parameters:
    ///   - isMeant: whether a file is one of them.
    ///   - root: where each way ends; it is none of them.
    ///   - above: what a file stands in; nil where that is not known.
    init(
        where isMeant: @escaping (FileID) throws -> Bool,
        below root: FileID,
        above: @escaping (FileID) throws -> FileID?
    ) {
        self.isMeant = isMeant
        self.root = root
        self.above = above
    }

    /// The nearest on the way up from a file, which may be one itself.
    func nearest(from start: FileID) throws -> FileID? {
        var way: [FileID] = []
        var seen: Set<FileID> = []
        var found: FileID?
        var next: FileID? = start
        // A folder that leads to itself never ends at the root.
        while let id = next, id != root, seen.insert(id).inserted {
            if let answer = known[id] {
                found = answer
                break
            }
            way.append(id)
            if try isMeant(id) || included.contains(id) {
                found = id
                break
            }
            next = try above(id)
        }
        for id in way { known.updateValue(found, forKey: id) }
        if found == nil {
            for (id, folder) in zip(way, way.dropFirst()) { below[folder, default: []].append(id) }
            if let last = way.last, let next, next != root {
                below[next, default: []].append(last)
            }
        }
        return found
    }

    /// Adds one that none of them is above: what is below it is found once, however many come.
    func include(_ file: FileID) {
        included.insert(file)
        known.updateValue(file, forKey: file)
        var pending = below.removeValue(forKey: file) ?? []
        while let id = pending.popLast() {
            // What came before it is nearer.
            guard case .some(.none) = known[id] else { continue }
            known.updateValue(file, forKey: id)
            pending += below.removeValue(forKey: id) ?? []
        }
    }

    /// All of them on the way up from a file, the nearest first.
    func all(from start: FileID) throws -> [FileID] {
        var all: [FileID] = []
        var seen: Set<FileID> = []
        var next: FileID? = start
        while let id = next, let found = try nearest(from: id), seen.insert(found).inserted {
            all.append(found)
            next = try above(found)
        }
        return all
    }
}

extension LocalTree {
    /// Finds which of some files are above others, as they stand here.
    func filesAbove(where isMeant: @escaping (FileID) -> Bool) -> FilesAbove {
        FilesAbove(where: isMeant, below: root) { try self.row($0)?.parent }
    }
}

extension BaseFacts {
    /// Finds which of some files are above others, as they stand for the server.
    func filesAbove(where isMeant: @escaping (FileID) -> Bool) -> FilesAbove {
        FilesAbove(where: isMeant, below: tree.root) { try self.facts($0)?.parent }
    }
}
