import LockbookCrypto
import LockbookModel

/// Decides whether a file of the disk may replace a note that is there and differs.
///
/// A note that somebody changed in the lockbook is not taken back by an import, also when the file is
/// changed once more after it was left out.
struct ImportGuard {
    private let options: ImportOptions
    private let tree: LocalTree
    private let exports: ExportedVersions

    init(_ options: ImportOptions, in tree: LocalTree) {
        self.options = options
        self.tree = tree
        exports = ExportedVersions(tree)
    }

    /// Whether a file replaces a note; if not, nothing happened on the disk since the last import.
    ///
    /// Asked in turn: what an import took in, what an export wrote, and only then the times.
    /// - Parameters:
    ///   - note: as it is; an import gives a note the time of its file.
    ///   - file: when the file was changed last.
    ///   - mark: nil where nothing is remembered of the file.
    ///   - digest: of what the file says; nil where nothing is remembered of it.
    ///   - isEarlier: whether the note said before what the file says, and was changed since.
    /// - Throws: `.changedHere` where both were changed, or the note is not older than a file that was
    ///   never taken in; `.undecidedHere` where it is left alone with a conflict in it;
    ///   `.ofAnotherOwner` as from `checkOwner`.
    func replaces(
        _ note: File,
        at path: String,
        changed file: Timestamp,
        _ mark: ImportedMark?,
        digest: () throws -> Hash256? = { nil },
        isEarlier: () throws -> Bool = { false }
    ) throws -> Bool {
        if options.force { return true }
        let taken = mark?.before.flatMap { $0.isRefused ? nil : $0 }
        if let taken {
            // Its time alone does not tell: what a merge puts into it may have the time of the file, too.
            let isAsTaken =
                try taken.digest.map { try tree.holds($0, note) }
                ?? (note.modified == taken.stamp.modified)
            if isAsTaken { return true }
            if file == taken.stamp.modified, !options.checksum {
                // A time that was set back may hide other bytes than those that were taken in.
                guard let known = taken.digest, try known != digest() else { return false }
            }
        }
        if try taken != nil || !isEarlier() {
            // What an export wrote of the note as it is now was changed on the disk alone.
            let isCopy = try exports.isCopy(mark, of: note)
            if isCopy == true { return true }
            // Times are their authors' claims, and are asked where nothing else is known. A merge gives a
            // note that of the newer side, which the file may have as well.
            if isCopy == nil, mark?.before == nil, note.modified < file, try !isUndecided(note) {
                if try isElsewhere(mark, at: path) {
                    throw LockbookError.ofAnotherOwner(path: path)
                }
                return true
            }
        }
        throw try isUndecided(note)
            ? LockbookError.undecidedHere(path: path, isListed: isListed(note))
            : LockbookError.changedHere(path: path)
    }

    /// Whether what another program has of an item replaces its note; if not, nothing happened there.
    ///
    /// Times do not count: a note that was not made of this item, or was changed since, stays.
    /// - Parameter digest: of what the other program has.
    /// - Throws: `.unknownHere`, `.changedHere`, `.undecidedHere`.
    func replaces(_ note: File, at path: String, _ item: ForeignMark, digest: Hash256) throws
        -> Bool
    {
        if options.force { return true }
        guard let taken = item.before, taken.id == note.id else {
            throw LockbookError.unknownHere(path: path)
        }
        if taken.digest == digest { return false }
        if try tree.holds(taken.digest, note) { return true }
        throw try isUndecided(note)
            ? LockbookError.undecidedHere(path: path, isListed: isListed(note))
            : LockbookError.changedHere(path: path)
    }

    /// Keeps what one owner's tree had out of another's that has no such note.
    /// - Throws: `.ofAnotherOwner`.
    func checkOwner(of mark: ImportedMark?, at path: String) throws {
        guard !options.force, try isElsewhere(mark, at: path), try tree.find(path: path) == nil
        else { return }
        throw LockbookError.ofAnotherOwner(path: path)
    }

    /// Whether a file went into another owner's tree, or came out of one, as it is.
    private func isElsewhere(_ mark: ImportedMark?, at path: String) throws -> Bool {
        try mark?.elsewhere != nil || mark?.before == nil && exports.isElsewhere(mark, at: path)
    }

    /// Whether the note was made of the file, or the file of the note as that is.
    func isKnown(_ mark: ImportedMark?, of note: File) throws -> Bool {
        try mark?.before?.isRefused == false || exports.isKnown(mark, of: note)
    }

    /// Whether a note holds a conflict that nobody decided yet.
    private func isUndecided(_ note: File) throws -> Bool {
        if try isListed(note) { return true }
        // What came with the first sync, and what is large, was not looked into when it came.
        return try tree.row(note.id).map {
            try tree.markers(in: $0, mostBytes: Self.markedByteCount) == .some
        } ?? false
    }

    /// Whether `conflicts` lists it.
    private func isListed(_ note: File) throws -> Bool {
        try tree.row(note.id).map(tree.holdsMarkers) ?? false
    }

    /// Of two texts that a merge joins both may stand in the note.
    private static let markedByteCount = 2 * Sync.mergeableByteCount
}
