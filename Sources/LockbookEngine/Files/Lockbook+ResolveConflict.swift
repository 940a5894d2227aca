import LockbookModel

extension Lockbook {
    /// Decides a conflict for one side.
    /// - Throws: `.noConflict`, `.contentNotHere`, `.readOnly`, `.ownersToChange`; `.neitherSide`
    ///   where two other devices wrote the versions, `.sameWriter` where this one did, or a copy
    ///   of it.
    public func resolve(_ reference: FileReference, keeping side: KeptSide) throws
        -> ResolvedConflict
    {
        do {
            return try resolveHere(reference, keeping: side)
        } catch let crossing as CrossesLink {
            return ResolvedConflict(path: try keepCopy(reference, over: crossing), placesLeft: 0)
        } catch let failure as LockbookError {
            guard case .noConflict = failure else { throw failure }
            let found = try conflictElsewhere(reference, after: failure)
            return try found.telling {
                var resolved = try found.other.lockbook.resolveHere(found.reference, keeping: side)
                resolved.path = resolved.path.map(found.other.own)
                return resolved
            }
        }
    }

    private func resolveHere(_ reference: FileReference, keeping side: KeptSide) throws
        -> ResolvedConflict
    {
        try store.change { tree in
            let open = try tree.conflict(of: reference)
            var placesLeft = 0
            switch open.conflict.kind {
            case .markers: placesLeft = try tree.resolveMarkers(open, keeping: side)
            case .keptBoth:
                if side == .local, let link = try open.other.flatMap(tree.crossing) { throw link }
                try tree.resolveCopies(open, keeping: side)
            case .trashed:
                // Of two sides one deleted it; keeping that one leaves it where it is.
                let deleter: KeptSide = open.isMine ? .local : .remote
                if side == deleter {
                    try tree.keepInTrash(open.row)
                } else {
                    placesLeft = try tree.restoreDead(open, keeping: side)
                }
            }
            // What is decided by how the files are now would be open again when they are put back.
            let id = open.row.id
            if try placesLeft == 0 && tree.conflicts().contains(where: { $0.row.id == id }) {
                try tree.forgetConflict(of: id)
            }
            // Of two copies the one that lost its place is gone; the other is the file.
            let isOther = open.conflict.kind == .keptBoth && side != .both
            let row = try isOther ? open.other : tree.row(open.row.id)
            let path = try row.flatMap { try tree.isDead($0) ? nil : tree.path(of: $0) }
            return ResolvedConflict(path: path, placesLeft: placesLeft)
        }
    }

    /// Decides for a document of this account over what others share, of which it is the second version.
    private func keepCopy(_ reference: FileReference, over crossing: CrossesLink) throws -> String {
        let shares = OpenShares(of: self)
        let place = try shares.place(behind: crossing.target, link: crossing.link)
        return try LocalStore.change([place.lockbook.store, store]) { trees in
            let (there, here) = (trees[0], trees[1])
            let open = try here.conflict(of: reference)
            let bytes = try here.words(of: open)
            try place.naming {
                let file = try there.file(try there.find(place.reference))
                try there.put(try there.replaceContent(of: file, with: bytes))
            }
            try here.delete(open.row)
            try here.noteDeletion(of: open.row.id)
            return place.link
        }
    }
}

/// What each kind of conflict becomes when a side is chosen.
extension LocalTree {
    fileprivate func words(of open: OpenConflict) throws -> [UInt8] {
        let path = open.conflict.path
        switch try openContent(of: try file(open.row), path: path) {
        case .empty: return []
        case .absent: throw LockbookError.contentNotHere(path: path)
        case .here(var reader): return try reader.bytes()
        }
    }

    /// - Returns: how many places with a merge's markers are left.
    fileprivate func resolveMarkers(_ open: OpenConflict, keeping side: KeptSide) throws -> Int {
        let file = try file(open.row)
        let path = open.conflict.path
        guard case .here(var reader) = try openContent(of: file, path: path) else {
            throw LockbookError.contentNotHere(path: path)
        }
        let stored = MergeLabels.here(account, environment, inEditor: false)
        let edited = MergeLabels.here(account, environment, inEditor: true)
        let here = stored + edited
        var isChanged = false
        let resolved = try ConflictBlocks(in: reader.bytes())
            .resolved(keeping: ConflictSide(side)) { first, second in
                // A copy of the data directory has this device's id, and a marker can be edited: either
                // may be of either. But what was in the editor stands before what was stored.
                let isOfEditor = edited.contains(first) && stored.contains(second)
                if side != .both, here.contains(first), here.contains(second), !isOfEditor {
                    throw LockbookError.sameWriter(path: path)
                }
                // What only looks like a place stays, and so does what two other devices wrote, which is no
                // conflict with this one.
                let local: ConflictBlocks.Local =
                    if !MergeLabels.nameWriters(first, second) {
                        .neither
                    } else if here.contains(first) || side == .both {
                        .first
                    } else if here.contains(second) { .second } else { .neither }
                isChanged = isChanged || local != .neither
                return local
            }
        guard isChanged else { throw LockbookError.neitherSide(path: path) }
        try put(try replaceContent(of: file, with: resolved))
        return ConflictBlocks(in: resolved).countOfWriters
    }

    fileprivate func resolveCopies(_ open: OpenConflict, keeping side: KeptSide) throws {
        guard side != .both, let other = open.other else { return }
        if side == .local {
            let (mine, file) = (try file(open.row), try file(other))
            if let content = mine.content {
                let sealed = try reseal(content, of: mine, for: file.id)
                try put(try file.replacing(sealed, in: self))
            } else {
                try put(try replaceContent(of: file, with: []))
            }
        }
        try delete(open.row)
        try noteDeletion(of: open.row.id)
    }

    /// Takes a file out of the trash that is dead itself or with the folder above it.
    /// - Returns: how many places with a merge's markers are left in it.
    fileprivate func restoreDead(_ open: OpenConflict, keeping side: KeptSide) throws -> Int {
        var row = open.row
        if !row.isDeleted {
            // It comes alone: of its folder nobody asked.
            var file = try file(row)
            file.isDeleted = true
            try put(file)
            row = try self.row(row.id) ?? row
        }
        try restore(row)
        try forgetRevived()
        guard let row = try self.row(row.id), try holdsMarkers(row) else { return 0 }
        // Somebody edited it, too, and then deleted it: that is decided with it.
        var restored = open
        restored.row = row
        do { return try resolveMarkers(restored, keeping: side) } catch LockbookError.neitherSide,
            LockbookError.sameWriter
        {
            return ConflictBlocks(in: try words(of: restored)).countOfWriters
        }
    }
}

extension ConflictSide {
    fileprivate init(_ side: KeptSide) {
        switch side {
        case .local: self = .local
        case .remote: self = .remote
        case .both: self = .both
        }
    }
}
