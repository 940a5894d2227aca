import GRDB
import LockbookModel

/// A link of this account's own tree to a file that another account shares.
struct ShareLink: Sendable {
    let id: FileID
    let path: String
    let target: LinkTarget
}

extension LocalTree {
    /// The live links to what an account shares, by the file that they point at.
    func links(to owner: AccountID) throws -> [FileID: ShareLink] {
        var links: [FileID: ShareLink] = [:]
        for (target, row) in try linksByTarget().first where target.owner == owner {
            links[target.file] = ShareLink(id: row.id, path: try path(of: row), target: target)
        }
        return links
    }

    /// The same for every account, where each is asked for.
    func linksByOwner() throws -> [AccountID: [FileID: ShareLink]] {
        try allLinks().reduce(into: [:]) { links, link in
            links[link.target.owner, default: [:]][link.target.file] = link
        }
    }

    /// The live links to what others share, by path.
    ///
    /// An id alone tells no file apart from another account's, which may have chosen the same.
    func allLinks() throws -> [ShareLink] {
        try linksByTarget().first.map { target, row in
            ShareLink(id: row.id, path: try path(of: row), target: target)
        }.sorted { $0.path < $1.path }
    }

    /// The links to what others share that were taken away here, and the server does not know it yet.
    func linksLeft() throws -> [ShareLink] {
        try deletedRows().filter { $0.type == .link }.compactMap { row in
            guard let target = try opened(row)?.target else { return nil }
            return ShareLink(id: row.id, path: try path(of: row), target: target)
        }
    }

    /// Whether several links lead to one target, made on two devices at once.
    func hasSecondLinks() throws -> Bool { try !linksByTarget().second.isEmpty }

    /// Of two links to one target the one that the server has stays, of two that it has the one of the
    /// lower id, and of two that it has not, or has as deleted, the one of the first path: ids that were
    /// drawn just now say nothing.
    private func linksByTarget() throws -> (
        first: [LinkTarget: FileRow], second: [(row: FileRow, target: LinkTarget)]
    ) {
        var first: [LinkTarget: FileRow] = [:]
        var second: [(row: FileRow, target: LinkTarget)] = []
        for row in try linkRows() {
            guard let target = try file(row).target else { continue }
            guard let other = first[target] else {
                first[target] = row
                continue
            }
            let isFirst =
                if try isHeld(other) {
                    false
                } else {
                    try isHeld(row) || path(of: row) < path(of: other)
                }
            if isFirst { first[target] = row }
            second.append((isFirst ? other : row, target))
        }
        return (first, second)
    }

    /// Of several links to one target all but one go.
    /// - Returns: which went, each with the path of the one that stays.
    func deleteSecondLinks() throws -> [(gone: ShareLink, left: String)] {
        let (first, second) = try linksByTarget()
        return try second.map { row, target in
            let gone = ShareLink(id: row.id, path: try path(of: row), target: target)
            try delete(row)
            try noteDeletion(of: row.id)
            return (gone, try first[target].map { try path(of: $0) } ?? "")
        }
    }

    /// Of what is gone no link stays, also where two devices each made one.
    func deleteLinks(to targets: Set<LinkTarget>) throws {
        for row in try linkRows() {
            guard let target = try file(row).target, targets.contains(target) else { continue }
            try delete(row)
            try noteDeletion(of: row.id)
        }
    }

    /// Whether the server has a file that is not deleted there by itself.
    private func isHeld(_ row: FileRow) throws -> Bool {
        try row.base.map { try !FileRecord($0).facts.isDeleted } ?? false
    }

    private func linkRows() throws -> [FileRow] {
        // The type stands in it: so it is one of those for which there is an index.
        let statement = try db.cachedStatement(
            sql: """
                SELECT \(FileRow.columns) FROM file WHERE type = \(FileType.link.rawValue)
                ORDER BY id
                """
        )
        return try Row.fetchAll(statement).map(FileRow.init).filter {
            try !$0.isDamaged && !isDead($0)
        }
    }
}

extension Sync {
    /// Of links to one target that two devices made one stays, and it is said which.
    mutating func settleSecondLinks() throws {
        guard !store.context.isForeign, try store.read({ try $0.hasSecondLinks() }) else { return }
        let known = Dictionary(
            linksBefore.map { ($0.id, $0.path) },
            uniquingKeysWith: { first, _ in first }
        )
        for (gone, left) in try store.write({ try $0.deleteSecondLinks() }) {
            // The name that it had for a moment, beside the one that stays, is no news.
            report.notes.removeAll { $0.kind == .renamed && $0.id == gone.id.description }
            note(.secondLink, gone.id, known[gone.id] ?? gone.path, left)
        }
    }
}
