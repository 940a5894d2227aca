import LockbookCrypto
import LockbookModel

extension Lockbook {
    /// Moves what goes over a link, all or nothing.
    ///
    /// Within one share as within one's own tree, else by a copy of which the original is deleted.
    func moveAcross(_ sources: [FileReference], to destination: String) throws -> [MovedFile] {
        let ends = try ends(of: sources, destination)
        // The copies are there before the originals go.
        return try LocalStore.change(ends.stores) { trees in
            guard let tree = trees.first else { return [] }
            let (folder, name) = try ends.place(in: tree)
            return try ends.sources.map { source in
                let directory = source.lockbook.store.directory
                guard let index = ends.stores.firstIndex(where: { $0.directory == directory })
                else { throw LockbookError.notFound(path: source.reference.text) }
                let other = trees[index]
                var moved = try source.naming {
                    try ends.target.naming {
                        let row = try other.find(source.reference)
                        return try tree.move(row, of: other, to: folder, as: name)
                    }
                }
                moved.file = ends.target.own(moved.file)
                return moved
            }
        }
    }

    /// Deletes what stands in several trees: all or nothing.
    func deleteAcross(_ references: [FileReference]) throws -> Int {
        let shares = OpenShares(of: self)
        let places = try references.map { try place(of: $0, in: shares) }
        let stores = LocalStore.each(places.map(\.lockbook.store))
        return try LocalStore.change(stores) { trees in
            try zip(stores, trees).reduce(0) { count, part in
                let (store, tree) = part
                let places = places.filter { $0.lockbook.store.directory == store.directory }
                do { return count + (try tree.delete(places.map(\.reference))) } catch let error
                    as LockbookError
                {
                    throw places.reduce(error) { $0.renamed($1.own) }
                }
            }
        }
    }
}

extension Error {
    /// Whether no file of this account has the id that was meant.
    var isUnknownID: Bool {
        guard let error = self as? LockbookError, case .notFound(let path) = error else {
            return false
        }
        return path.hasPrefix("id:")
    }
}

extension LocalTree {
    private static let staysWhereItIs = """
        shared by itself, and goes into no other account's tree: take that back \
        (`lockbook share revoke`), sync, move it, and share it again
        """

    /// Moves a file of this tree or of another one.
    ///
    /// What its keys bind to where it is, but may be copied and deleted, is made anew.
    fileprivate func move(
        _ row: FileRow,
        of other: LocalTree,
        to folder: FileRow,
        as name: FileName?
    ) throws -> MovedFile {
        if other === self {
            do { return try move(row, to: folder, as: name) } catch LockbookError.shareBorder {
                // A member takes it from one share of an account to another one.
            }
        }
        try other.requireUnbound(row)
        let newName = try name ?? other.name(of: row)
        try requireFree(newName, in: folder)
        let copy = try copy(row, of: other, to: folder, as: newName)
        try other.delete(row)
        try other.noteDeletion(of: row.id)
        return MovedFile(file: try info(copy, path: try path(of: copy)))
    }

    /// Refuses what cannot be made anew elsewhere without a loss: what others see by itself, links,
    /// and what does not open.
    private func requireUnbound(_ top: FileRow) throws {
        guard top.id != root else { throw LockbookError.root }
        let wished = Set(try wishes().filter { $0.mode > .none }.map(\.file))
        var pending = [top]
        while let row = pending.popLast() {
            let path = try path(of: row)
            guard !row.isDamaged else {
                throw LockbookError.damaged(file: path, author: try author(of: row))
            }
            guard row.type != .link else {
                throw LockbookError.badShare(
                    path: path,
                    reason: "a link cannot go into a shared folder"
                )
            }
            guard try scope(of: row) != row.id, !wished.contains(row.id) else {
                if isForeign, row.id == top.id { throw LockbookError.ownersToChange(path: path) }
                throw LockbookError.badShare(path: path, reason: "it is \(Self.staysWhereItIs)")
            }
            guard row.type == .folder else { continue }
            pending += try entries(of: row.id).compactMap { try self.row($0.id) }
        }
    }

    /// A file that moves into a shared folder is shared from then on; one that moves out gets new
    /// keys when it is pushed, and so does what is shared by itself, which only its owner moves.
    func enterScope(of folder: FileRow, _ file: inout File, _ row: FileRow) throws {
        let scope = try self.scope(of: folder)
        if try isToBeShared(folder), let link = try linkInside(row, besides: purgedIDs()) {
            guard try !isDead(link) else { throw badShare(link, try linkInTheWay(link)) }
            throw LockbookError.badShare(
                path: try path(of: row),
                reason: "what it goes into is shared by the next sync, where no link can go"
            )
        }
        guard file.scope != scope else { return }
        let path = try path(of: row)
        let isShared = file.scope == file.id
        guard !isShared || !isForeign else { throw LockbookError.ownersToChange(path: path) }
        let outer = try isShared ? self.row(row.parent).map { try self.scope(of: $0) } : file.scope
        guard outer != scope else { return }
        let known = try row.base.map { try FileRecord($0).facts.scope } ?? scope
        let isLeaving = try !staysInside(known, scope)
        guard !isForeign || !isLeaving else { throw LockbookError.shareBorder(path: path) }
        var below = [row]
        var takesShares = false
        while let next = below.popLast() {
            if try !isLeaving && known != scope && isInTheWay(next) {
                throw LockbookError.damaged(
                    file: try self.path(of: next),
                    author: try author(of: next)
                )
            }
            guard next.type != .link else {
                guard try !isDead(next) else { throw badShare(next, try linkInTheWay(next)) }
                throw LockbookError.badShare(
                    path: path,
                    reason: "a link cannot go into a shared folder"
                )
            }
            if try self.scope(of: next) == next.id {
                takesShares = true
                try requireKept(next, path)
            }
            below += try children(of: next.id)
        }
        if takesShares { try requireKept(around: folder, path) }
        if !isShared { file.scope = scope }
    }

    /// Whether the server has a file as living that does not open.
    ///
    /// It goes along into no other scope, and no server lets it stay behind.
    private func isInTheWay(_ row: FileRow) throws -> Bool {
        guard row.isDamaged, let base = row.base else { return false }
        return try !FileRecord(base).facts.isDeleted
    }

    /// Refuses to move what is being given to another owner, who is to have what he was offered.
    private func requireKept(_ row: FileRow, _ path: String) throws {
        guard let transfer = try transfer(of: row.id), transfer.isOpen else { return }
        let whole = try self.row(whole(of: transfer).file) ?? row
        throw LockbookError.badShare(
            path: path,
            reason: "\(try self.path(of: row)) is offered to \(try username(of: transfer.heir)) to "
                + "keep; `lockbook share transfer --cancel` of \(try self.path(of: whole)) takes "
                + "that back"
        )
    }

    /// The same of what it would come into, where something is shared by itself.
    private func requireKept(around folder: FileRow, _ path: String) throws {
        var next: FileRow? = folder
        while let row = next, row.id != root {
            try requireKept(row, path)
            next = try self.row(row.parent)
        }
    }

    /// Whether the next sync shares a folder, or one around it.
    func isToBeShared(_ folder: FileRow) throws -> Bool {
        guard !isForeign else { return false }
        let awaited = Set(try wishes().filter { $0.mode > .none }.map(\.file))
        guard !awaited.isEmpty else { return false }
        var next: FileRow? = folder
        while let row = next, row.id != root {
            if try awaited.contains(row.id) && scope(of: row) == root { return true }
            next = try self.row(row.parent)
        }
        return false
    }

    /// Whether who sees one scope sees the other one as well: the owner's notes, or a share around
    /// it.
    func staysInside(_ scope: FileID, _ new: FileID) throws -> Bool {
        if isForeign { return scope == new }
        return try scope == root || PageView(tree: self).scopes(around: new).contains(scope)
    }

    /// Seals what stands below a folder that is in another scope now.
    func reseatBelow(_ folder: File) throws {
        var pending = [folder]
        while let next = pending.popLast() {
            for child in try children(of: next.id) where !child.isDamaged {
                var file = try file(child)
                guard file.scope != file.id, file.scope != next.scope else { continue }
                file.scope = next.scope
                try put(file)
                if file.type == .folder { pending.append(file) }
            }
        }
    }
}
