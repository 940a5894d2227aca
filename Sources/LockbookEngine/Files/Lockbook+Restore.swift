import LockbookModel

extension Lockbook {
    /// Takes files out of the trash, with what was deleted with them.
    ///
    /// It is all or nothing, also where they lie in several trees; what is named twice is restored
    /// once.
    ///
    /// A file comes back where it stood, or in the nearest folder above that is there; it gets a
    /// number when its name is taken. What is in a deleted folder may come back alone.
    /// - Throws: `.notInTrash`, `.ambiguous` where several were deleted at one path, `.shareEnded`
    ///   for a link to what was taken back.
    public func restore(_ references: [FileReference]) throws -> [FileInfo] {
        var seen: Set<String> = []
        return try restoreAll(references).filter { seen.insert($0.id).inserted }
    }

    private func restoreAll(_ references: [FileReference]) throws -> [FileInfo] {
        do {
            return try store.change { try restore(references, in: $0) }
        } catch let failure as LockbookError {
            guard case .notInTrash = failure else { throw failure }
            let unread = UnreadTrees()
            let others = try askOthers(unread) { $0 }
            guard !others.isEmpty else { throw unread.first ?? failure }
            do { return try restore(references, among: others) } catch let error as LockbookError {
                guard case .notInTrash = error else { throw error }
                throw unread.first ?? error
            }
        }
    }

    /// Restores what lies in the trash of several trees.
    private func restore(_ references: [FileReference], among others: [OtherTree]) throws
        -> [FileInfo]
    {
        let places = try references.map { reference in
            try trashed(reference, among: others) { lockbook, tree, there in
                var trash = try lockbook.trashIndex(tree)
                return try trash.take(there)
            }
        }
        let stores = LocalStore.each(places.map(\.lockbook.store))
        return try LocalStore.change(stores) { trees in
            var restored: [Int: FileInfo] = [:]
            for (store, tree) in zip(stores, trees) {
                let there = places.enumerated().filter {
                    $0.element.lockbook.store.directory == store.directory
                }
                guard let place = there.first?.element else { continue }
                let files = try place.own {
                    try place.lockbook.restore(there.map(\.element.reference), in: tree)
                }
                for (file, index) in zip(files, there.map(\.offset)) { restored[index] = file }
            }
            return places.indices.compactMap { restored[$0] }
        }
    }

    /// In whose trash a file is: this account's own, or the one of others that has it.
    func trashed(
        _ reference: FileReference,
        among others: [OtherTree]? = nil,
        _ find: (Lockbook, LocalTree, FileReference) throws -> FileRow
    ) throws -> TrashPlace {
        do {
            _ = try store.read { try find(self, $0, reference) }
            return TrashPlace(lockbook: self, reference: reference, other: nil)
        } catch let failure as LockbookError {
            guard case .notInTrash = failure else { throw failure }
            let found = try elsewhere(reference, after: failure, among: others) {
                try find($0.lockbook, $1, $2)
            }
            let other = found.other
            return TrashPlace(lockbook: other.lockbook, reference: found.reference, other: other)
        }
    }

    private func restore(_ references: [FileReference], in tree: LocalTree) throws -> [FileInfo] {
        let shares = OpenShares(of: self)
        var trash = try trashIndex(tree)
        let rows = try references.map { try trash.take($0) }
        // A file that comes back with its folder is where it was, in whichever order they stand.
        for row in try tree.outermostFirst(rows)
        where try tree.row(row.id).map({ try tree.isDead($0) }) ?? false {
            if let target = try tree.ended(row, in: shares) {
                throw try shares.end(of: target, behind: tree.path(of: row))
            }
            do { _ = try tree.file(row) } catch DamagedRecord.keyDoesNotOpen {
                let path = try tree.path(of: row)
                throw LockbookError.damaged(file: path, author: try tree.author(of: row))
            }
            try tree.restore(row)
        }
        try tree.forgetRevived()
        return try rows.map { row in
            let restored = try tree.row(row.id) ?? row
            return try tree.info(restored, path: try tree.path(of: restored))
        }
    }
}

/// What a reference means in the trash of one tree.
struct TrashPlace {
    let lockbook: Lockbook
    let reference: FileReference
    /// Nil of this account's own.
    let other: OtherTree?

    /// Tells what was restored there, or what is in the way, as the user knows it.
    func own(_ body: () throws -> [FileInfo]) throws -> [FileInfo] {
        guard let other else { return try body() }
        do { return try body().map(other.own) } catch let error as LockbookError {
            throw other.own(error)
        }
    }
}
