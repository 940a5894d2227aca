import LockbookCrypto
import LockbookModel

/// What was written in a share after somebody copied it to continue it.
struct CarriedOver {
    typealias Kept = (id: FileID, path: String, of: String)

    /// Documents of which both sides have another content: where the other one is, by its path.
    var kept: [Kept] = []
    /// Contents that have to be fetched before it can be done.
    var absent: [AbsentContent] = []
    /// A shared document of which both sides have another content.
    var top: File?
    /// What is a copy of which file of the share.
    var copies: [FileID: FileID] = [:]
}

extension LocalTree {
    /// Makes the files of a share anew in this account's own tree, as those of its new owner.
    /// - Parameters:
    ///   - top: the shared file, in the store of what its owner shares.
    ///   - offer: that it is given to this account.
    /// - Returns: the shared file, and what is shared by itself inside of it, by what they were made of.
    func takeOver(
        _ top: FileRow,
        of source: LocalTree,
        by offer: TransferOffer,
        as name: FileName,
        in folder: FileRow
    ) throws -> [FileID: FileRow] {
        let shared = Set(try source.sharesInside(top.id).map(\.id))
        var pending = [(row: top, folder: folder)]
        var tops: [FileID: FileRow] = [:]
        var copies: [FileID: FileID] = [:]
        while let next = pending.popLast() {
            let path = try source.path(of: next.row)
            guard !next.row.isDamaged else {
                throw LockbookError.badShare(
                    path: path,
                    reason: "it is damaged, and is not taken over with what is around it"
                )
            }
            let old = try source.file(next.row)
            let isTop = next.row.id == top.id
            var file = try newFile(isTop ? name : old.name, type: old.type, in: next.folder)
            file.isExecutable = old.isExecutable
            file.content = try adopt(old, of: source, for: file.id)
            (file.created, file.modified) = (old.created, old.modified)
            var mark = FileMark(origin: origin(of: old, in: file))
            let offer = try isTop ? offer : source.offer(on: next.row)
            if let offer {
                let succession = try Succession(
                    to: offer,
                    with: file.id,
                    created: environment.now(),
                    by: keys
                )
                mark.successions = try source.mark(of: next.row).succeeded(by: succession)
            } else if shared.contains(next.row.id) {
                throw LockbookError.badShare(
                    path: path,
                    reason: "it is shared by itself, and was not when the rest was offered"
                )
            }
            file.bodyExtension = mark.bytes
            let made = try make(file)
            try noteMarkers(of: next.row.id, in: source, for: made.id)
            copies[next.row.id] = made.id
            if offer != nil { tops[next.row.id] = made }
            for child in old.type == .folder ? try source.children(of: old.id) : []
            where !child.isDeleted { pending.append((child, made)) }
        }
        try notePairs(in: source, madeAnew: copies)
        return tops
    }

    /// Brings into this tree what was written in a share since it was copied.
    ///
    /// What was brought already is known by its versions, so that it may be done again at any time.
    func carryOver(_ top: FileRow, of source: LocalTree, to newTop: FileRow) throws -> CarriedOver {
        var done = CarriedOver()
        guard top.type == .folder else {
            try carry(try source.file(top), of: source, to: newTop, in: nil, &done)
            return done
        }
        let copies = try copies(in: newTop, of: source)
        done.copies = copies.mapValues { $0.id }
        var pending = [(row: top, folder: newTop)]
        while let next = pending.popLast() {
            for child in try source.children(of: next.row.id)
            where !child.isDeleted && !child.isDamaged {
                let old = try source.file(child)
                let copy = copies[old.id]
                guard old.type == .folder else {
                    try carry(old, of: source, to: copy, in: next.folder, &done)
                    continue
                }
                pending.append((child, try place(of: old, copy, in: next.folder)))
            }
        }
        try notePairs(in: source, madeAnew: done.copies.filter { try source.isLive($0.key) })
        return done
    }

    /// What is a copy of which file of the share; of several the one that stands for it now.
    private func copies(in newTop: FileRow, of source: LocalTree) throws -> [FileID: FileRow] {
        var copies: [FileID: (row: FileRow, rank: Int)] = [:]
        for row in try subtree(of: newTop) {
            // Whoever writes there says what something is a copy of: at most of its own type.
            // What does not open is a copy of nothing: its new owner, or who writes there, sees to that.
            guard let origin = try mark(of: row).origin,
                let old = try source.row(origin.file), old.type == row.type
            else { continue }
            let rank = try rank(of: row, from: origin, old, in: source)
            if rank > copies[old.id]?.rank ?? -1 { copies[old.id] = (row, rank) }
        }
        return copies.mapValues { $0.row }
    }

    /// Which of several copies stands for a file: the highest.
    ///
    /// There are several where an earlier pass brought words over beside a copy that others had
    /// written in: those words are there, and are not to be brought again.
    private func rank(
        of copy: FileRow,
        from origin: FileMark.Origin,
        _ old: FileRow,
        in source: LocalTree
    ) throws -> Int {
        if old.type == .document, let file = try source.opened(old),
            file.content?.version == origin.version
        {
            return 3
        }
        if try isDead(copy) { return 0 }
        return try file(copy).content?.version == origin.copy ? 2 : 1
    }

    /// The folder that a folder of the old share is now.
    private func place(of old: File, _ copy: FileRow?, in folder: FileRow) throws -> FileRow {
        // What is in one that was deleted since goes where that was.
        if let copy { return try isDead(copy) ? folder : copy }
        if let same = try child(old.name, of: folder), same.type == .folder, !same.isDamaged {
            return same
        }
        var file = try newFile(try freeName(old.name, in: folder), type: .folder, in: folder)
        file.bodyExtension = FileMark(origin: origin(of: old, in: file)).bytes
        return try make(file)
    }

    /// - Parameters:
    ///   - copy: what was made of it before; nil where that is not known.
    ///   - folder: where its copy belongs; nil where it is what was shared.
    private func carry(
        _ old: File,
        of source: LocalTree,
        to copy: FileRow?,
        in folder: FileRow?,
        _ done: inout CarriedOver
    ) throws {
        var folder = folder
        if let copy {
            guard let place = try carry(old, of: source, over: copy, in: folder, &done) else {
                return
            }
            folder = place
        }
        guard let folder else { return }
        let taken = try child(old.name, of: folder)
        if let taken, taken.type == .document, !taken.isDamaged {
            guard let isSame = try isContent(of: old, in: source, same: try file(taken), &done)
            else { return }
            if isSame { return }
        } else if try isContent(of: old, in: source, same: nil, &done) == nil {
            return
        }
        var file = try newFile(try freeName(old.name, in: folder), type: .document, in: folder)
        file.isExecutable = old.isExecutable
        file.content = try adopt(old, of: source, for: file.id)
        (file.created, file.modified) = (old.created, old.modified)
        file.bodyExtension = FileMark(origin: origin(of: old, in: file)).bytes
        let made = try make(file)
        done.copies[old.id] = made.id
        try noteMarkers(of: old.id, in: source, for: made.id)
        guard let taken else { return }
        done.kept.append((file.id, try path(of: made), try path(of: taken)))
        // What is between markers is to be decided first, and a folder is no other text.
        if try !holdsMarkers(made), taken.type == .document, !taken.isDamaged {
            try noteConflict(.keptBoth, made.id, other: taken.id)
        }
    }

    /// Brings what was written since into the copy that was made of a document, where nobody wrote there.
    /// - Returns: where it is made anew beside its copy, or in place of one that is gone; nil where nothing
    ///   is left to do.
    private func carry(
        _ old: File,
        of source: LocalTree,
        over copy: FileRow,
        in folder: FileRow?,
        _ done: inout CarriedOver
    ) throws -> FileRow? {
        // The ids of versions are enough, though a writer chooses them: other words under one
        // that was taken over are that writer's own, and stay in the trash of the old owner.
        let origin = try mark(of: copy).origin
        if let origin, origin.file == old.id, origin.version == old.content?.version { return nil }
        guard try !copy.isDamaged && !isDead(copy) else { return folder }
        var file = try file(copy)
        let isWritten = file.content?.version != origin?.copy
        guard let isSame = try isContent(of: old, in: source, same: file, &done), !isSame else {
            return nil
        }
        if isWritten {
            guard folder != nil else {
                done.top = old
                return nil
            }
            return try row(copy.parent) ?? folder
        }
        file = try file.replacing(adopt(old, of: source, for: file.id), in: self)
        file.modified = old.modified
        var changed = FileMark(reading: file.bodyExtension)
        changed.origin = self.origin(of: old, in: file)
        file.bodyExtension = changed.bytes
        try put(file)
        try noteMarkers(of: old.id, in: source, for: file.id)
        return nil
    }

    /// Whether two documents of different trees have the same bytes; nil when those are not here.
    private func isContent(
        of old: File,
        in source: LocalTree,
        same file: File?,
        _ done: inout CarriedOver
    ) throws -> Bool? {
        let path = try source.path(of: old.id)
        switch try source.openContent(of: old, path: path) {
        case .empty: return file.map { $0.content == nil } ?? false
        case .absent(let content):
            done.absent.append(content)
            return nil
        case .here(var reader):
            guard let content = file?.content else { return false }
            return try reader.isSame(as: content)
        }
    }

    private func adopt(_ old: File, of source: LocalTree, for file: FileID) throws -> Content? {
        guard let content = old.content else { return nil }
        let path = try source.path(of: old.id)
        guard case .here(let reader) = try source.openContent(of: old, path: path) else {
            throw LockbookError.contentNotHere(path: path)
        }
        return try reseal(content, from: reader, for: file)
    }

    private func origin(of old: File, in file: File) -> FileMark.Origin {
        FileMark.Origin(
            file: old.id,
            version: old.content?.version,
            copy: file.content?.version
        )
    }
}
