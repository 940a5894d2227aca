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
        for wish in try wishes() where wish.mode == .none {
            guard let obstacle = wish.obstacle else { continue }
            let name = try username(of: wish.grantee)
            reasons[wish.file] =
                "the share is not taken back from \(name) yet, \(obstacle.explanation)"
        }
        guard !reasons.isEmpty else { return [:] }
        let server = try BaseFacts(tree: self)
        let rows = try changedRows().filter { !$0.isDamaged }
        let shares = SharesAround(Set(reasons.keys), server)
        let moved = try rows.filter { try isInTheWay($0, of: shares) }
        var passing = Set(moved.map(\.id))
        let opened = SharesAround(
            try moved.reduce(into: Set<FileID>()) { $0.formUnion(try shares.around($1)) },
            server
        )
        for row in rows where try staysWithoutWords(row, in: opened) { passing.insert(row.id) }
        // These take along what is below, as it was agreed; what was changed of that follows.
        let inner = server.foldersGoingWhole()
        let going = Set(try moved.filter { try crosses($0, server, inner) }.map(\.id))
        let above = filesAbove { reasons[$0] != nil || going.contains($0) }
        var held: [FileID: String] = [:]
        for row in rows where !passing.contains(row.id) {
            guard let holder = try above.nearest(from: row.id), !going.contains(holder) else {
                continue
            }
            held[row.id] = reasons[holder]
        }
        return held
    }

    /// Whether something that was moved in a share keeps it from being taken back.
    func waitsForMoves(_ share: FileID) throws -> Bool {
        let shares = SharesAround([share], try BaseFacts(tree: self))
        return try changedRows().contains { try !$0.isDamaged && isInTheWay($0, of: shares) }
    }

    /// Whether one of these shares can be taken back only after a change in it.
    private func isInTheWay(_ row: FileRow, of shares: SharesAround) throws -> Bool {
        let around = try shares.around(row)
        return try !around.isEmpty && !staysInScope(row, isTop: around.contains(row.id))
    }

    /// Whether a file of one of these shares has another name or place there, or is a new folder.
    private func staysWithoutWords(_ row: FileRow, in shares: SharesAround) throws -> Bool {
        guard let local = row.local else { return false }
        guard let base = row.base else {
            return try row.type == .folder && shares.here.nearest(from: row.id) != nil
        }
        return try FileRecord(base).facts.blob == FileRecord(local).facts.blob
            && !shares.around(row).isEmpty
    }
}

extension LocalTree.ShareWish.Obstacle {
    fileprivate var explanation: String {
        switch self {
        case .refusal: "as the server refused it"
        case .moves: "as what was moved in it has to be synced first"
        }
    }
}

/// In which of some shares files are.
private struct SharesAround {
    let here: FilesAbove
    private let there: FilesAbove

    init(_ shares: Set<FileID>, _ server: BaseFacts) {
        here = server.tree.filesAbove(where: shares.contains)
        there = server.filesAbove(where: shares.contains)
    }

    /// Those that a file which is not new is in, here as on the server.
    func around(_ row: FileRow) throws -> Set<FileID> {
        guard row.base != nil else { return [] }
        let found = try here.all(from: row.id)
        guard !found.isEmpty else { return [] }
        return Set(found).intersection(try there.all(from: row.id))
    }
}
