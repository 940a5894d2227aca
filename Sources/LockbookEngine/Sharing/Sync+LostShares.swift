import LockbookCrypto
import LockbookModel

/// What was lost of what another account shares.
struct LostShares {
    /// What was taken back.
    let gone: [LocalTree.EndedShare]
    /// What was changed here and may not be pushed any more, and then saves of what goes.
    ///
    /// Of each document the first words that can be read are kept, with what they replaced.
    let stranded: [StrandedFile]
    /// The links by which somebody knew it, by what they lead to: those that are here, and such as
    /// another device took away.
    let known: [FileID: ShareLink]
    /// Where files stood, by their ids, that have lost their places.
    let placesLeft: [String: String]
}

extension Sync {
    /// Keeps what was written as one's own before the share lets go of it, takes the links away, and
    /// notes all of it; in one transaction.
    /// - Returns: also the words that do not open, for which nothing else can wait.
    func keepOwn(_ lost: LostShares, of shared: LocalStore) throws
        -> (told: [SyncReport.Note], unreadable: [LockbookError])
    {
        let owner = shared.context.owner
        let (name, isOwnerGone) = try shared.read {
            (try $0.username(of: owner), try $0.isOwnerGone())
        }
        let titles = try shared.read { tree in
            try lost.gone.map(\.source.file).reduce(into: [FileID: String]()) {
                $0[$1] = try tree.title(of: $1)
            }
        }
        // What continues a share has its link's name; else that is free for words of one's own.
        let left = try lost.gone.filter { try continuation(of: $0) == nil }
        return try store.write { tree in
            try tree.deleteLinks(to: Set(left.map(\.source)))
            let untold = try tree.untoldNotes()
            var told: [SyncReport.Note] = []
            var kept: Set<FileID> = []
            var unreadable: [LockbookError] = []
            for file in lost.stranded where !kept.contains(file.id) {
                let link = file.original.flatMap { lost.known[$0] }
                let name = try link?.path.steps.last.map { try FileName($0) } ?? file.name
                var copy: String?
                do {
                    copy = try keepCopy(of: file, name, from: shared, in: tree, untold)
                } catch let error as LockbookError where error.isUnreadable {
                    if file.isSave { continue }
                    unreadable.append(.unreadableWords(path: file.path))
                }
                if copy != nil { kept.insert(file.id) }
                if let copy, let link { try tree.noteCopy(copy, of: link) }
                told += self.notes(of: file, copy, lost.placesLeft[file.id.description], lost.known)
            }
            told += try lost.gone.map { share -> SyncReport.Note in
                // To the new owner it was not taken back: it is his.
                if let note = try noteTakenOver(share, in: tree) { return note }
                let file = share.source.file
                return SyncReport.Note(
                    kind: .takenBack,
                    id: file.description,
                    path: lost.known[file]?.path ?? titles[file] ?? "id:\(file)",
                    detail: isOwnerGone ? "\(name), whose account was deleted" : name
                )
            }
            told.removeAll { note in untold.contains { note.isSame(as: $0) } }
            try tree.keepUntold(untold + told)
            for share in lost.gone {
                // Offered again it is another offer.
                try tree.setRejected(share.source, false)
                try tree.noteEnd(of: share)
            }
            try tree.deleteLinks(to: Set(lost.gone.map(\.source)))
            return (told, unreadable)
        }
    }

    private func noteTakenOver(_ share: LocalTree.EndedShare, in tree: LocalTree) throws
        -> SyncReport.Note?
    {
        // Most were offered to nobody, and all that this account shares would be looked through for each.
        guard share.offer > 0 else { return nil }
        return try tree.copy(of: share.source, by: share.offer).map { copy in
            SyncReport.Note(
                kind: .transferred,
                id: copy.id.description,
                path: try tree.path(of: copy),
                detail: account.username
            )
        }
    }

    /// Makes what was written in a share a document of one's own; nil where no words are here.
    /// - Throws: `.damaged`, `.unreadableContent`, and then nothing was written.
    private func keepCopy(
        of file: StrandedFile,
        _ name: FileName,
        from shared: LocalStore,
        in tree: LocalTree,
        _ untold: [SyncReport.Note]
    ) throws -> String? {
        guard let document = file.document else { return nil }
        return try shared.read { there -> String in
            // Read by pieces, each time from the beginning: it may be much in all.
            func words() throws -> ContentReader {
                try there.words(of: document, at: file.path)
            }
            return try tree.keptCopy(of: file, words(), untold)
                ?? tree.keepCopy(
                    of: document,
                    in: there,
                    from: words(),
                    named: name,
                    inTrash: file.isDeletedHere
                )
        }
    }

    /// Unsynced contents of shares that may not be written any more become documents of this
    /// account's own tree; other changes there are undone.
    ///
    /// Each has the path by which it was known.
    mutating func stranded(
        in shared: LocalStore,
        _ places: LinkedPlaces,
        _ unfit: Set<FileID>
    ) throws -> [StrandedFile] {
        let stranded = try shared.read { tree in
            try tree.stranded(besides: tree.lostElsewhere(unfit)).map { file in
                var file = file
                file.path = try tree.knownPath(file.path, by: places)
                return file
            }
        }
        // What is told of here stays no longer.
        let ids = Set(stranded.map(\.id.description))
        let overtaken: Set<SyncReport.Note.Kind> = [
            .notPushed, .notDone, .rescued, .folderGone, .keptBothInTrash,
        ]
        let copies = Set(stranded.filter { $0.original != nil }.map(\.id.description))
        report.notes.removeAll {
            overtaken.contains($0.kind) && ids.contains($0.id)
                || $0.kind == .keptBoth && copies.contains($0.id)
        }
        return stranded
    }

    /// - Parameters:
    ///   - copy: where what was written there is now.
    ///   - left: where it stood, where that is not its place any more.
    private func notes(
        of file: StrandedFile,
        _ copy: String?,
        _ left: String?,
        _ links: [FileID: ShareLink]
    ) -> [SyncReport.Note] {
        let path = left ?? file.path
        let id = file.id.description
        if let original = file.original, !file.isDeletedHere {
            let name = links[original]?.path.steps.last ?? file.name.text
            return copy.map { [SyncReport.Note(kind: .keptBoth, id: id, path: $0, detail: name)] }
                ?? []
        }
        var notes: [SyncReport.Note] = []
        if copy == nil || file.isDeletedHere, let change = file.change {
            notes.append(
                SyncReport.Note(kind: .undone, id: id, path: path, detail: change.rawValue)
            )
        }
        if let copy {
            let place = file.isDeletedHere ? "in the trash, " + path : path
            notes.append(SyncReport.Note(kind: .keptOwn, id: id, path: copy, detail: place))
        }
        return notes
    }
}

extension LocalTree {
    /// Leaves to be decided between a document of one's own and what a link leads to.
    fileprivate func noteCopy(_ path: String, of link: ShareLink) throws {
        guard let copy = try find(path: path), copy.type == .document else { return }
        try noteConflict(.keptBoth, copy.id, other: link.id)
    }
}
