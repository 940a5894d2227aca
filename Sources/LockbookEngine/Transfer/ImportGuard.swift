import LockbookCrypto
import LockbookModel

/// Decides whether a file of the disk may replace a note that is there and differs.
///
/// A note that somebody changed in the lockbook is not taken back by an import.
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
    ///   - isEarlier: whether the note said before what the file says, and was changed since.
    ///   - holds: whether the note's content has a digest. Its time alone does not tell: what a
    ///     merge puts into it may have the time of the file, too.
    func verdict(
        note: Timestamp,
        file: Timestamp,
        before: ImportedFile?,
        isEarlier: () throws -> Bool = { false },
        holds: (_ digest: Hash256) throws -> Bool
    ) rethrows -> Verdict {
        if force { return .replace }
        guard let before else { return try note > file || isEarlier() ? .refuse : .replace }
        let isAsTaken = try before.digest.map(holds) ?? (note == before.stamp.modified)
        if isAsTaken { return .replace }
        return file == before.stamp.modified && !checksum ? .keep : .refuse
    }
}
