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
        /// Both were changed, or the note did not come from this file.
        case refuse
    }

    let force: Bool
    let checksum: Bool
    /// Whether a note that is older than a file of which nothing is known gives way: it came from an
    /// earlier export of the same program, and has the time of that.
    var goesByTimes = false

    /// - Parameters:
    ///   - note: when the note was changed last; an import gives a note the time of its file.
    ///   - file: when the file was changed last.
    ///   - before: the file as it was taken in the last time; nil when that is not known.
    ///   - holds: whether the note's content has a digest. Its time alone does not tell: what a
    ///     merge puts into it may have the time of the file, too.
    func verdict(
        note: Timestamp,
        file: Timestamp,
        before: ImportedFile?,
        holds: (_ digest: Hash256) throws -> Bool
    ) rethrows -> Verdict {
        if force { return .replace }
        guard let before else { return !goesByTimes || note > file ? .refuse : .replace }
        let isAsTaken = try before.digest.map(holds) ?? (note == before.stamp.modified)
        if isAsTaken { return .replace }
        return file == before.stamp.modified && !checksum ? .keep : .refuse
    }
}
