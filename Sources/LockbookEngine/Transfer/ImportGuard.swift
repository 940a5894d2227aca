import LockbookCrypto
import LockbookModel

/// Decides whether a file of the disk may replace a note that is there and differs.
///
/// A note that somebody changed in the lockbook is not taken back by an import, also when the file is
/// changed once more after it was left out.
struct ImportGuard: Sendable {
    enum Verdict {
        case replace
        /// Nothing happened on the disk since the last import: the note stays as it is.
        case keep
        /// Both were changed, or the note is newer than a file that was never taken in.
        case refuse
    }

    let force: Bool
    let checksum: Bool

    /// - Parameters:
    ///   - note: when the note was changed last; an import gives a note the time of its file.
    ///   - file: when the file was changed last.
    ///   - before: the file as it was taken in the last time; nil when that is not known.
    ///   - isCopy: whether the file was exported from the note as that is now; nil where no export of
    ///     the note wrote the file.
    ///   - isEarlier: whether the note said before what the file says, and was changed since.
    ///   - isUndecided: whether the note holds a conflict that nobody decided yet.
    ///   - holds: whether the note's content has a digest. Its time alone does not tell: what a
    ///     merge puts into it may have the time of the file, too.
    func verdict(
        note: Timestamp,
        file: Timestamp,
        before: ImportedFile?,
        isCopy: () throws -> Bool? = { nil },
        isEarlier: () throws -> Bool = { false },
        isUndecided: () throws -> Bool = { false },
        holds: (_ digest: Hash256) throws -> Bool
    ) rethrows -> Verdict {
        if force { return .replace }
        guard let taken = before, !taken.isRefused else {
            if try note > file || isEarlier() { return .refuse }
            // What was exported from the note as it is was changed on the disk alone.
            let copy = try isCopy()
            // A merge gives a note the time of the newer side, and that side's file has it as well.
            if copy != true, try note == file || isUndecided() { return .refuse }
            return copy ?? (before == nil) ? .replace : .refuse
        }
        let isAsTaken = try taken.digest.map(holds) ?? (note == taken.stamp.modified)
        if isAsTaken { return .replace }
        if file == taken.stamp.modified, !checksum { return .keep }
        // What an export wrote since is the note's as it is now, and was changed on the disk alone.
        return try isCopy() == true ? .replace : .refuse
    }
}
