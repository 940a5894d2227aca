import LockbookCrypto
import LockbookModel

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
        for step in changed where step.restoresContent {
            try noteMarkers(broughtBackIn: step.row.id)
        }
        return ChangingCommand(command, changes)
    }

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
