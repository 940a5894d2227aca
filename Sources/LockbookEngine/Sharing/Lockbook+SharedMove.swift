import LockbookCrypto
import LockbookModel

/// Where both ends of a move are, behind one link.
struct SharedMove {
    let lockbook: Lockbook
    let sources: [FileReference]
    let destination: String
    let places: [SharedPlace]

    func own(_ path: String) -> String {
        places.first { path == $0.top || path.hasPrefix($0.top + "/") }?.own(path) ?? path
    }

    func own(_ info: FileInfo) -> FileInfo {
        places.first { info.path == $0.top || info.path.hasPrefix($0.top + "/") }?.own(info) ?? info
    }
}

extension Lockbook {
    /// Finds both ends of a move in the tree of one other account.
    /// - Throws: `.shareBorder` when they are in different ones.
    func places(
        _ sources: [FileReference],
        and destination: String,
        after error: any Error
    ) throws -> SharedMove {
        let border = LockbookError.shareBorder(path: sources.first?.text ?? destination)
        let end = FileReference(destination)
        // An id that nothing has is no border.
        if case .id = end {
            try across(end) {
                _ = try store.read { try $0.find(end) }
            } there: { _ in
            }
        }
        let found = try sources.map { source -> SharedPlace in
            try across(source) { () throws -> SharedPlace in
                // A link itself is moved in its own tree.
                try store.read { tree in
                    let row = try tree.find(source)
                    guard row.type == .link, error is CrossesLink else { throw border }
                    throw LockbookError.badShare(
                        path: try tree.path(of: row),
                        reason: "a link cannot go into a shared folder"
                    )
                }
                throw border
            } there: {
                $0
            }
        }
        let target = try across(end) { () throws -> SharedPlace in
            _ = try store.read { try $0.place(for: destination) }
            throw border
        } there: {
            $0
        }
        guard case .path(let path) = target.reference,
            found.allSatisfy({ $0.lockbook.store.directory == target.lockbook.store.directory })
        else { throw border }
        return SharedMove(
            lockbook: target.lockbook,
            sources: found.map(\.reference),
            destination: path,
            places: found + [target]
        )
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
        shared by itself, and goes into no other share and out of none: take that back \
        (`lockbook share revoke`), sync, move it, and share it again
        """

    /// A file that moves into a shared folder is shared from then on; one that moves out gets new
    /// keys when it is pushed, which only its owner gives.
    func enterScope(of folder: FileRow, _ file: inout File, _ row: FileRow) throws {
        let scope = try self.scope(of: folder)
        if try isToBeShared(folder), try isBoundToScope(row) {
            throw LockbookError.badShare(
                path: try path(of: row),
                reason: "what it goes into is shared by the next sync, where no link and nothing "
                    + "that is shared by itself can go"
            )
        }
        guard file.scope != scope else { return }
        let path = try path(of: row)
        if file.scope == file.id, !isForeign {
            guard let above = try self.row(row.parent), try self.scope(of: above) == scope else {
                throw LockbookError.badShare(
                    path: path,
                    reason: "it is \(Self.staysWhereItIs)"
                )
            }
            return
        }
        guard file.scope != file.id else { throw LockbookError.ownersToChange(path: path) }
        let known = try row.base.map { try FileRecord($0).facts.scope } ?? scope
        let isLeaving = try !staysInside(known, scope)
        guard !isForeign || !isLeaving else { throw LockbookError.shareBorder(path: path) }
        var below = [row]
        while let next = below.popLast() {
            let nextScope = try self.scope(of: next)
            guard next.type != .link, nextScope != next.id else {
                throw LockbookError.badShare(
                    path: path,
                    reason: next.type == .link
                        ? "a link cannot go into a shared folder"
                        : "something in it is \(Self.staysWhereItIs)"
                )
            }
            below += try children(of: next.id)
        }
        file.scope = scope
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
