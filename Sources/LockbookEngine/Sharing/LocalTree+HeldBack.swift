import LockbookModel

/// What waits here because a share could not be taken back.
extension LocalTree {
    /// What was changed here in shares that could not be taken back, and why it waits.
    ///
    /// Who is to be out has the keys under which it would be pushed.
    ///
    /// What was moved in such a share, to another one or together with it, goes all the same: the share
    /// cannot be taken back before. So that nothing holds it up, names, places and new folders of the
    /// share go with it then, and what was written into a document that was moved.
    func heldBack() throws -> [FileID: String] {
        var reasons: [FileID: String] = [:]
        for wish in try wishes() where wish.isRefused && wish.mode == .none {
            let name = try username(of: wish.grantee)
            reasons[wish.file] = "the share is not taken back from \(name) yet"
        }
        guard !reasons.isEmpty else { return [:] }
        let shares = Set(reasons.keys)
        let server = try BaseFacts(tree: self)
        let rows = try changedRows().filter { !$0.isDamaged }
        let moved = try rows.filter { try isInTheWay(of: shares, $0, server) }
        var passing = Set(moved.map(\.id))
        let opened = try moved.reduce(into: Set<FileID>()) {
            $0.formUnion(try self.shares(shares, around: $1, server))
        }
        for row in rows where try staysWithoutWords(row, in: opened, server) {
            passing.insert(row.id)
        }
        // These take along what is below, as it was agreed; what was changed of that follows.
        let going = Set(try moved.filter { try crosses($0, server) }.map(\.id))
        var held: [FileID: String] = [:]
        for row in rows where !passing.contains(row.id) {
            let holder = try first(of: shares.union(going), from: row.id) {
                try self.row($0)?.parent
            }
            guard let holder, !going.contains(holder) else { continue }
            held[row.id] = reasons[holder]
        }
        return held
    }

    /// Whether something that was moved in a share keeps it from being taken back.
    func waitsForMoves(_ share: FileID) throws -> Bool {
        let server = try BaseFacts(tree: self)
        return try changedRows().contains {
            try !$0.isDamaged && isInTheWay(of: [share], $0, server)
        }
    }

    /// Whether one of these shares can be taken back only after a change in it.
    private func isInTheWay(of shares: Set<FileID>, _ row: FileRow, _ server: BaseFacts) throws
        -> Bool
    {
        let around = try self.shares(shares, around: row, server)
        return try !around.isEmpty && !staysInScope(row, isTop: around.contains(row.id))
    }

    /// Those of some shares that a file which is not new is in, here as on the server.
    private func shares(_ shares: Set<FileID>, around row: FileRow, _ server: BaseFacts) throws
        -> Set<FileID>
    {
        guard row.base != nil else { return [] }
        let here = try all(of: shares, from: row.id) { try self.row($0)?.parent }
        guard !here.isEmpty else { return [] }
        return try here.intersection(all(of: here, from: row.id) { try server.facts($0)?.parent })
    }

    /// Whether a file of one of these shares has another name or place there, or is a new folder.
    private func staysWithoutWords(_ row: FileRow, in shares: Set<FileID>, _ server: BaseFacts)
        throws -> Bool
    {
        guard let local = row.local else { return false }
        guard let base = row.base else {
            let parents: (FileID) throws -> FileID? = { try self.row($0)?.parent }
            return try row.type == .folder && first(of: shares, from: row.id, parents) != nil
        }
        return try FileRecord(base).facts.blob == FileRecord(local).facts.blob
            && !self.shares(shares, around: row, server).isEmpty
    }
}
