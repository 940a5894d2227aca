import LockbookModel

/// What waits here because a share could not be taken back.
extension LocalTree {
    /// What was changed here in shares that the server refused to take back, and why it waits.
    ///
    /// Who is to be out has the keys under which it would be pushed.
    ///
    /// What was moved in such a share, to another one or together with it, goes all the same: the share
    /// cannot be taken back before. That shows a name and a place, and no new word.
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
        // These take along what is below, as it was agreed; what was changed of that follows.
        let going = Set(try moved.filter { try crosses($0, server) }.map(\.id))
        let passing = Set(try moved.filter { try !changesContent($0) }.map(\.id))
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

    /// Whether one of these shares can be taken back only after a change in it.
    private func isInTheWay(of shares: Set<FileID>, _ row: FileRow, _ server: BaseFacts) throws
        -> Bool
    {
        guard row.base != nil,
            let share = try first(of: shares, from: row.id, { try self.row($0)?.parent }),
            try first(of: shares, from: row.id, { try server.facts($0)?.parent }) == share
        else { return false }
        return try !staysInScope(row, isTop: row.id == share)
    }

    private func changesContent(_ row: FileRow) throws -> Bool {
        guard let base = row.base, let local = row.local else { return true }
        return try FileRecord(base).facts.blob != FileRecord(local).facts.blob
    }
}
