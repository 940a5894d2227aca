import LockbookModel

extension LocalTree {
    /// A merge's note in the words of a report.
    func describe(_ note: MergeNote, local: [FileID: File]) throws -> SyncReport.Note {
        // Beside one in the trash no copy has another name, and none is live.
        if note.kind == .keptBoth, let copy = try row(note.file), try isDead(copy) {
            return SyncReport.Note(
                kind: .keptBothInTrash,
                id: note.file.description,
                path: try path(of: note.file),
                detail: ""
            )
        }
        // What was made here was moved by nobody.
        let isNew = try note.kind == .moveUndone && row(note.file)?.base == nil
        return SyncReport.Note(
            kind: isNew ? .folderGone : SyncReport.Note.Kind(note.kind),
            id: note.file.description,
            path: try path(of: note.file),
            detail: note.name?.text ?? ""
        )
    }

    /// The same of what somebody deleted elsewhere without having seen its last content.
    func describe(unseen file: File) throws -> SyncReport.Note {
        SyncReport.Note(
            kind: file.diedWithFolder ? .trashed : .deleted,
            id: file.id.description,
            path: try shownPath(of: file.id),
            detail: ""
        )
    }
}

extension SyncReport.Note.Kind {
    init(_ kind: MergeNote.Kind) {
        switch kind {
        case .merged: self = .merged
        case .markers: self = .markers
        case .keptBoth: self = .keptBoth
        case .renamed: self = .renamed
        case .renameUndone: self = .renameUndone
        case .moveUndone: self = .moveUndone
        case .trashed: self = .trashed
        case .deleted: self = .deleted
        case .folded: self = .folded
        }
    }
}
