import LockbookCrypto
import LockbookModel

/// One file of a command that is taken back.
private struct UndoStep {
    let row: FileRow
    /// As it is now.
    let current: File
    let path: String
    /// As it is to be.
    let wanted: File
    /// Whether the command made the file.
    let wasMade: Bool

    var restoresContent: Bool { wanted.content?.identity != current.content?.identity }

    /// Whether it stands where it stood.
    var keepsPlace: Bool {
        wanted.isDeleted == current.isDeleted && wanted.parent == current.parent
            && wanted.name == current.name
    }
}

extension LocalTree {
    /// Takes a command back; the last one without a number.
    func undo(_ number: Int64?) throws -> ChangingCommand {
        guard let wanted = try number ?? newestCommand(), let command = try command(wanted) else {
            throw LockbookError.nothingToUndo(command: number)
        }
        if command.obstacle == .large {
            throw LockbookError.tooLargeToUndo(limit: environment.undoneFileCount)
        }
        if let obstacle = command.obstacle {
            throw LockbookError.cannotUndo(reason: obstacle.sentence(ofOther: isForeign))
        }
        let replacements = try replacements(of: command.number)
        // A folder that another device made as well stays for that one.
        let own = try replacements.filter { try !madeJoinedFolder($0) }
        let steps = try (own.isEmpty ? replacements : own).map { try step(back: $0, of: command) }
        let changed = try topmost(steps)
        // A member takes back what he wrote into what stands where its owner put it.
        try releasePlaces(of: Set(changed.filter { !$0.keepsPlace }.map(\.row.id)))
        var byFile: [FileID: UndoStep] = [:]
        for step in changed { byFile[step.row.id] = step }
        for id in parentsFirst(byFile.mapValues(\.wanted)) {
            guard let step = byFile[id] else { continue }
            try checkPlace(of: step)
            try put(try step.wanted.placed(in: self))
        }
        folderPaths.removeAll()
        let changes = try changed.map { try finish($0) }
        try forgetRevived()
        return ChangingCommand(command, changes)
    }

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

    private func openStates(of replacement: Replacement, _ row: FileRow) throws
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

    private func change(from old: File?, at oldPath: String?, to new: File, at path: String)
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
    private func path(at file: File) throws -> String {
        let folder = try path(of: file.parent)
        return (folder == "/" ? "" : folder) + "/" + file.name.text
    }

    /// The same; nil where the folder is not here any more, as one that is not shared now.
    private func pathHere(at file: File) throws -> String? {
        try row(file.parent) == nil ? nil : path(at: file)
    }

    // MARK: What is to be done

    private func step(back replacement: Replacement, of command: CommandRow) throws -> UndoStep {
        guard let row = try row(replacement.file), !row.isDamaged, try !isPurged(row.id) else {
            throw try isGone(replacement.file)
        }
        let current = try file(row)
        let path = try path(at: current)
        guard let (before, after) = try openStates(of: replacement, row) else {
            throw LockbookError.cannotUndo(
                reason: "\(path) has other keys since, because others were let in or out"
            )
        }
        guard var wanted = current.taking(back: after, to: before) else {
            throw LockbookError.cannotUndo(reason: "\(path) was changed since")
        }
        // It was taken out of the trash, and not away from a folder that was deleted later.
        if wanted.parent != current.parent, try wasDead(wanted.parent, before: command) {
            wanted.dieWithFolder()
        }
        return UndoStep(
            row: row,
            current: current,
            path: path,
            wanted: wanted,
            wasMade: before == nil
        )
    }

    /// Whether a folder was in the trash already, by itself or with one above it.
    private func wasDead(_ folder: FileID, before command: CommandRow) throws -> Bool {
        var seen: Set<FileID> = []
        var id = folder
        while id != root, seen.insert(id).inserted, let row = try row(id) {
            if row.isDeleted, try wasTrashed(id, before: command) { return true }
            id = row.parent
        }
        return false
    }

    /// Without what is deleted with its folder, and refused when a folder that was made holds what
    /// others put there.
    private func topmost(_ steps: [UndoStep]) throws -> [UndoStep] {
        let made = Set(steps.filter(\.wasMade).map(\.row.id))
        let known = Set(steps.map(\.row.id))
        for step in steps where step.wasMade && step.row.type == .folder {
            for entry in try entries(of: step.row.id) where !known.contains(entry.id) {
                throw LockbookError.cannotUndo(
                    reason: "\(try path(of: entry.id)) is in a folder that it made"
                )
            }
        }
        return steps.filter { !$0.wasMade || !made.contains($0.current.parent) }
    }

    /// Refuses a place that is no more, or that another file has.
    private func checkPlace(of step: UndoStep) throws {
        let file = step.wanted
        guard !file.isDeleted else { return }
        guard let folder = try row(file.parent), folder.type == .folder, !folder.isDamaged else {
            throw Self.folderIsGone(step)
        }
        if let taken = try child(file.name, of: folder), taken.id != file.id {
            throw LockbookError.cannotUndo(
                reason: "another file is at \(try path(of: taken)) now"
            )
        }
    }

    private static func folderIsGone(_ step: UndoStep) -> LockbookError {
        .cannotUndo(reason: "the folder that \(step.path) stood in is no more")
    }

    // MARK: When it is done

    private func finish(_ step: UndoStep) throws -> ChangingCommand.Change {
        let file = step.wanted
        if !file.isDeleted {
            guard try isReached(file.id) else { throw Self.folderIsGone(step) }
            try findContent(of: step)
            if step.current.isDeleted { try reviveDead(below: step.row) }
        } else {
            if !step.current.isDeleted || file.diedUnseen { try reopenConflict(of: file) }
            if !step.current.isDeleted { try noteDeletion(of: file.id) }
        }
        let path = try path(at: file)
        return change(from: step.current, at: step.path, to: file, at: path)
    }

    /// A content that is not here comes from the server, where the server is known to have it.
    private func findContent(of step: UndoStep) throws {
        let file = step.wanted
        guard file.type == .document else { return }
        guard let content = file.content, try !hasBlob(content.blob) else {
            return try clearAbsent(file.id)
        }
        let isAgreed = try base(step.row)?.content?.identity == content.identity
        guard isAgreed || !step.restoresContent else {
            throw LockbookError.contentNotHere(path: step.path)
        }
    }

    /// Whether a file is below the root: in no folder that is deleted, and in no circle of folders.
    private func isReached(_ file: FileID) throws -> Bool {
        var seen: Set<FileID> = []
        var id = file
        while id != root {
            guard seen.insert(id).inserted, let row = try row(id), !row.isDeleted else {
                return false
            }
            id = row.parent
        }
        return true
    }
}

extension File {
    /// This file as it was before a change, in what that change was about; what others changed
    /// besides stays.
    /// - Parameter before: nil when the change made the file.
    /// - Returns: nil when it was overwritten since.
    fileprivate func taking(back after: File, to before: File?) -> File? {
        var file = self
        guard let before else {
            file.isDeleted = true
            // New keys, because others were let in or out, are no change of the file.
            return looksSame(as: after) ? file : nil
        }
        guard isDeleted == after.isDeleted else { return nil }
        file.isDeleted = before.isDeleted
        file.diedWithFolder = before.diedWithFolder
        file.diedUnseen = before.diedUnseen
        if before.parent != after.parent || before.name != after.name {
            guard parent == after.parent, name == after.name else { return nil }
            file.parent = before.parent
            file.name = before.name
        }
        if before.content?.identity != after.content?.identity {
            guard content?.identity == after.content?.identity else { return nil }
            file.content = before.content
            file.modified = before.modified
        }
        if before.isExecutable != after.isExecutable {
            guard isExecutable == after.isExecutable else { return nil }
            file.isExecutable = before.isExecutable
            file.modified = before.modified
        }
        return file
    }
}
