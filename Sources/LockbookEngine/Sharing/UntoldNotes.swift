import LockbookModel

/// What becomes of a share that was taken back is done once: a sync that is killed before it says so
/// leaves it to the next one.
extension LocalTree {
    func untoldNotes() throws -> [SyncReport.Note] {
        try sealed(.untold, for: Self.untold) ?? []
    }

    func keepUntold(_ notes: [SyncReport.Note]) throws {
        try seal(notes.isEmpty ? nil : notes, as: .untold, for: Self.untold)
    }

    /// Keeps what the next sync would not see any more, for that one too, should this one be killed.
    func keepUntold(more notes: [SyncReport.Note]) throws -> [SyncReport.Note] {
        if !isForeign, !notes.isEmpty { try keepUntold(untoldNotes() + notes) }
        return notes
    }

    /// How far this device went back with the server, where no sync has come through since.
    func untoldRollback() throws -> Rollback? {
        try sealed(.untoldRollback, for: Self.rollback)
    }

    func keepRollback(_ rollback: Rollback?) throws {
        try seal(rollback, as: .untoldRollback, for: Self.rollback)
        if rollback == nil { try set(.untoldFiles, ids: []) }
    }

    private static let untold: StaticString = "untold notes"
    private static let rollback: StaticString = "untold rollback"

    /// Where an earlier sync, which was killed, put what was written in a share already.
    func keptCopy(
        of file: StrandedFile,
        _ words: ContentReader,
        _ untold: [SyncReport.Note]
    ) throws -> String? {
        let note = untold.first {
            [.keptOwn, .keptBoth].contains($0.kind) && $0.id == file.id.description
        }
        var words = words
        guard let path = note?.path,
            let row = (try? find(.path(path))) ?? (try? findTrashed(.path(path))),
            row.type == .document, let content = try self.file(row).content,
            try words.isSame(as: content)
        else { return nil }
        return path
    }
}

extension Sync {
    /// Begins the report with what an earlier sync did not come to say.
    mutating func takeUntold() throws {
        guard !store.context.isForeign else { return }
        let untold = try store.read { try $0.untoldNotes() }
        keptBefore = untold.filter { [.keptOwn, .keptBoth].contains($0.kind) }
        report.notes += untold
        report.rollback = try store.read { try $0.untoldRollback() }
        tellsUntold = true
    }

    /// Notes what the next sync would not see any more, for that one too, should this one be killed.
    ///
    /// - Parameter isOvertaken: what is told by it, and no more by itself.
    mutating func noteNews(
        _ kind: SyncReport.Note.Kind,
        _ file: FileID,
        _ path: String,
        _ detail: String,
        insteadOf isOvertaken: (SyncReport.Note) -> Bool = { _ in false }
    ) throws {
        let note = SyncReport.Note(
            kind: kind,
            id: file.description,
            path: path,
            detail: detail
        )
        report.notes.removeAll(where: isOvertaken)
        // Where a killed sync noted it, it stands there already.
        guard !report.notes.contains(note) else { return }
        report.notes.append(note)
        try store.write { tree in
            let untold = try tree.untoldNotes()
            try tree.keepUntold(untold.filter { !isOvertaken($0) } + [note])
        }
    }

    /// Tells no more what other news say.
    mutating func forget(_ isOvertaken: (SyncReport.Note) -> Bool) throws {
        report.notes.removeAll(where: isOvertaken)
        try store.write { tree in
            try tree.keepUntold(tree.untoldNotes().filter { !isOvertaken($0) })
        }
    }

    /// The report is handed over: what is in it is told.
    func forgetUntold() throws {
        guard tellsUntold, !options.isDryRun else { return }
        if try store.read({ try $0.setting(.untold) != nil }) {
            // Without these the next one would put the same words there once more.
            try store.write { try $0.keepUntold(keptBefore) }
        }
        if tellsRollback, try store.read({ try $0.setting(.untoldRollback) != nil }) {
            try store.write { try $0.keepRollback(nil) }
        }
    }
}

extension SyncReport.Note {
    /// Whether an earlier sync noted the same: where a link was that is gone may have another name now, or
    /// none.
    func isSame(as other: SyncReport.Note) -> Bool {
        guard (kind, id) == (other.kind, other.id) else { return false }
        return switch kind {
        case .takenBack, .undone: detail == other.detail
        // Where the copy is; the rest is where it came from.
        case .keptOwn, .keptBoth: path == other.path
        default: self == other
        }
    }
}
