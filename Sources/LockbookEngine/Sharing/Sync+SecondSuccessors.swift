import LockbookCrypto
import LockbookModel

extension Sync {
    /// Of what was taken over on two devices at once, that counts which is in the log, and of two that are that
    /// which is shared.
    ///
    /// The other one is shared with nobody; where it holds nothing else, it goes to the trash.
    mutating func settleSecondSuccessors() throws {
        guard !store.context.isForeign else { return }
        let found = try store.read { try $0.secondSuccessors() }
        for (_, second) in found { try store.write { try $0.forgetSuccession(of: second) } }
        let seconds = Set(found.map(\.second.id))
        for (first, second) in found {
            report.notes += try store.write { tree in
                // What is shared by itself in one of them goes where that goes.
                guard try !tree.stands(second, in: seconds) else { return [] }
                let path = try tree.path(of: second)
                let isCopy = try tree.isCopy(second, of: first)
                if isCopy {
                    try tree.delete(second)
                    try tree.noteDeletion(of: second.id)
                }
                return try tree.keepUntold(more: [
                    SyncReport.Note(
                        kind: isCopy ? .secondCopy : .keptBoth,
                        id: second.id.description,
                        path: path,
                        detail: tree.path(of: first)
                    )
                ])
            }
        }
    }
}

extension LocalTree {
    /// What was taken over here, beside what another device took over by the same offer before, or has shared
    /// before this one came to that.
    fileprivate func secondSuccessors() throws -> [(first: FileRow, second: FileRow)] {
        let all = try successors()
        guard all.count > 1 else { return [] }
        let shared = Set(try allGrants().map(\.file))
        return all.filter { !shared.contains($0.row.id) }.compactMap { second in
            let first = all.first { first in
                (shared.contains(first.row.id) || second.row.base == nil && first.row.base != nil)
                    && first.sources.first?.offer.bytes == second.sources.first?.offer.bytes
            }
            return first.map { ($0.row, second.row) }
        }
    }

    fileprivate func forgetSuccession(of row: FileRow) throws {
        for wish in try wishes() where wish.file == row.id { try forget(wish) }
        var file = try file(row)
        var mark = FileMark(reading: file.bodyExtension)
        mark.successions = []
        file.bodyExtension = mark.bytes
        try put(file)
    }

    /// Whether all of it was copied from what the other one was copied from, and nothing written since.
    fileprivate func isCopy(_ second: FileRow, of first: FileRow) throws -> Bool {
        let known = try subtree(of: first).compactMap { row in
            // What does not open may be a copy of anything.
            row.isDamaged ? nil : try mark(of: row).origin.map(Source.init)
        }
        let sources = Set(known)
        return try subtree(of: second).allSatisfy { row in
            guard !row.isDamaged, !row.isDeleted, let origin = try mark(of: row).origin else {
                return false
            }
            // None but this account wrote there, as nobody else was shown it: nobody else chose the id.
            return try file(row).content?.version == origin.copy
                && sources.contains(Source(origin))
        }
    }
}

/// What a file was copied from.
private struct Source: Hashable {
    let file: FileID
    let version: VersionID?

    init(_ origin: FileMark.Origin) {
        file = origin.file
        version = origin.version
    }
}
