import LockbookCrypto
import LockbookModel

/// What commands on this device did.
extension LocalTree {
    /// What a command did with one file; nil when the file is no more, or what it was opens no more.
    func change(made replacement: Replacement) throws -> ChangingCommand.Change? {
        guard let row = try row(replacement.file) else { return try change(joining: replacement) }
        guard !row.isDamaged, let (before, after) = try openStates(of: replacement, row) else {
            return nil
        }
        let old = try before.flatMap { try pathHere(at: $0) }
        guard let new = try pathHere(at: after) ?? opened(row).map({ try path(at: $0) }) else {
            return nil
        }
        return change(from: before, at: old, to: after, at: new)
    }

    /// The states of a file before and after a command, where it stands by now; nil where they do not open.
    func openStates(of replacement: Replacement, _ row: FileRow) throws
        -> (before: File?, after: File)?
    {
        do {
            let (before, after) = try states(of: replacement, row)
            return (try before.map { try movedToJoined($0) }, try movedToJoined(after))
        } catch is DamagedRecord {
            return nil
        }
    }

    /// The states of a file before and after a command; none before where it made the file.
    /// - Throws: `DamagedRecord` where they do not open on this device any more.
    private func states(of replacement: Replacement, _ row: FileRow) throws -> (
        before: File?, after: File
    ) {
        let after = try FileRecord(replacement.after)
        let before = try replacement.before.map { try FileRecord($0) }
        guard let sealed = replacement.key,
            let opened = try? undoKey.open(sealed, bound: row.id.bytes),
            let key = FileKey(opened)
        else {
            return (try before.map { try open($0, of: row) }, try open(after, of: row))
        }
        func state(_ record: FileRecord) throws -> File {
            guard record.facts.epoch < after.facts.epoch else {
                return try toppedOff(record.file(key: key))
            }
            // A command makes one new epoch at most.
            guard record.facts.epoch + 1 == after.facts.epoch,
                let previous = try after.previousKey(key)
            else { return try open(record, of: row) }
            return try toppedOff(record.file(key: previous))
        }
        return (try before.map(state), try state(after))
    }

    /// What a command did, for a user.
    /// - Parameters:
    ///   - oldPath: where the file stood before; nil where that is not here, or it was nowhere.
    ///   - path: where it stands in the state that the command gave it.
    func change(from old: File?, at oldPath: String?, to new: File, at path: String)
        -> ChangingCommand.Change
    {
        let change = old.map { Self.change(from: $0, to: new) } ?? .made
        // Into which folder of the trash it went is of no use to who looks for it.
        let stood = change == .deleted ? oldPath ?? path : path
        return ChangingCommand.Change(
            id: new.id.description,
            path: stood,
            from: oldPath == stood ? nil : oldPath,
            change: change
        )
    }

    /// Where a file stands, in its folder as that is now.
    func path(at file: File) throws -> String {
        let folder = try path(of: file.parent)
        return (folder == "/" ? "" : folder) + "/" + file.name.text
    }

    /// The same; nil where the folder is not here any more, as one that is not shared now.
    private func pathHere(at file: File) throws -> String? {
        try row(file.parent) == nil ? nil : path(at: file)
    }
}
