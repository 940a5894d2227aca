import LockbookModel

extension Lockbook {
    /// What merges left to be decided, by path.
    ///
    /// Those of this device, the markers that came in notes from others after the first sync, and what
    /// is in the trash with words that nobody deleted.
    ///
    /// It is decided by `resolve`, or by whatever makes it go away: an edit that takes the markers
    /// out, deleting one of two copies, restoring what is in the trash.
    /// - Parameter unread: gets the links behind which cannot be looked, and why.
    public func conflicts(
        unread: ((path: String, reason: LockbookError)) -> Void = { _ in }
    ) throws -> [Conflict] {
        let here = try store.read { try $0.conflicts().map(\.conflict) }
        let shut = UnreadTrees()
        let behind = try askOthers(shut) { try $0.conflicts() }.flatMap(\.self)
        try store.read { try shut.tell(in: $0, unread) }
        return (here + behind).sorted { ($0.path, $0.id) < ($1.path, $1.id) }
    }

    /// The conflict of one file.
    /// - Throws: `.noConflict`, `.ambiguous` where several were at one path, `.readOnly`,
    ///   `.ownersToChange`.
    public func conflict(_ reference: FileReference) throws -> Conflict {
        do { return try store.read { try $0.conflict(of: reference).conflict } } catch let failure
            as LockbookError
        {
            guard case .noConflict = failure else { throw failure }
            let found = try conflictElsewhere(reference, after: failure)
            return try found.telling {
                found.other.own(try found.other.lockbook.conflict(found.reference))
            }
        }
    }

    func conflictElsewhere(_ reference: FileReference, after failure: LockbookError) throws
        -> FoundElsewhere
    {
        try elsewhere(reference, after: failure) { _, tree, there in
            try tree.conflict(of: there).row
        }
    }
}

extension OtherTree {
    /// What this account may decide there, of what a link leads to.
    func conflicts() throws -> [Conflict] {
        try lockbook.store.read { tree in
            try tree.conflicts().filter { try tree.obstacle(to: $0) == nil }
        }
        .map { own($0.conflict) }.filter { SharedPath.isReached($0.path) }
    }

    fileprivate func own(_ conflict: Conflict) -> Conflict {
        var conflict = conflict
        conflict.path = own(conflict.path)
        conflict.other = conflict.other.map(own)
        return conflict
    }
}

extension LocalTree {
    /// What is open of a file, by its place or its id.
    func conflict(of reference: FileReference) throws -> OpenConflict {
        let all = try conflicts()
        let matches: [OpenConflict]
        switch reference {
        case .id where !reference.isBareID:
            let id = try findReadable(reference)?.id.description
            matches = all.filter { $0.conflict.id == id }
        case .id(let prefix):
            matches = all.filter { !prefix.isEmpty && $0.conflict.id.hasPrefix(prefix) }
        case .path(let path):
            let wanted = try Self.names(of: path).map(\.normalized)
            func isMeant(_ path: String) throws -> Bool {
                try Self.names(of: path).map(\.normalized) == wanted
            }
            let named = try all.filter { try isMeant($0.conflict.path) }
            // Of two copies either may be named.
            matches =
                named.isEmpty
                ? try all.filter { try $0.conflict.other.map(isMeant) ?? false } : named
        }
        let match = try matches.theOne(
            orNone: .noConflict(path: reference.text),
            orSeveral: .ambiguous(
                prefix: reference.text,
                matches: matches.map { "id:\($0.conflict.id.prefix(12))" }
            )
        )
        if let obstacle = try obstacle(to: match) { throw obstacle }
        return match
    }

    /// Why nothing is for this account to decide, by a side or in an editor; nil where it is.
    fileprivate func obstacle(to open: OpenConflict) throws -> LockbookError? {
        guard isForeign else { return nil }
        if try !mayWrite(in: scope(of: open.row)) {
            return .readOnly(path: open.conflict.path)
        }
        if try open.conflict.kind == .trashed && !mayRestore(open.row) {
            return .ownersToChange(path: open.conflict.path)
        }
        return nil
    }
}
