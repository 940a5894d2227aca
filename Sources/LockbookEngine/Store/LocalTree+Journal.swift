import FoundationEssentials
import GRDB
import LockbookCrypto
import LockbookModel

/// What the last commands on this device replaced, so that they can be taken back.
///
/// What a merge does is no command.
extension LocalTree {
    func emptyJournal() -> CommandJournal { CommandJournal(limit: environment.undoneFileCount) }

    /// Writes down what this transaction replaced.
    /// - Parameters:
    ///   - open: the command that it belongs to, when that has changed something already.
    ///   - turn: which of the commands on this device a new one is; nil where it is counted here.
    /// - Returns: the command that it was written down for.
    func keepJournal(joining open: Int64?, _ turn: Int64?) throws -> Int64? {
        guard let journal else { return open }
        self.journal = nil
        let replacements = try journal.files.compactMap { id in
            try replacement(of: id, before: journal.before[id] ?? nil)
        }
        guard journal.obstacle != nil || !replacements.isEmpty else { return open }
        if let open, let known = try command(open), try goesOn(known, with: replacements) {
            return try keep(replacements, journal.obstacle, in: known)
        }
        try db.cachedStatement(
            sql: "INSERT INTO command (at, files, bytes, turn) VALUES (?, 0, 0, ?)"
        ).run(environment.now().milliseconds, try turn ?? nextTurn())
        let command = CommandRow(number: db.lastInsertedRowID)
        _ = try keep(replacements, journal.obstacle, in: command)
        try trimJournal()
        return command.number
    }

    /// Whether these changes are more of the same command: nothing came between.
    private func goesOn(_ command: CommandRow, with replacements: [Replacement]) throws -> Bool {
        guard try newestCommand() == command.number else { return false }
        for replacement in replacements {
            let known = try self.replacement(of: replacement.file, by: command.number)
            if let known, known.after != replacement.before { return false }
        }
        return true
    }

    private func keep(
        _ replacements: [Replacement],
        _ obstacle: UndoObstacle?,
        in command: CommandRow
    ) throws -> Int64 {
        var command = command
        command.obstacle = command.obstacle ?? obstacle
        for replacement in replacements where command.obstacle == nil {
            try keep(replacement, in: &command)
            if command.files > environment.undoneFileCount { command.obstacle = .large }
        }
        if command.obstacle != nil {
            try dropReplacements(of: command.number)
            (command.files, command.bytes) = (0, 0)
        }
        try db.cachedStatement(
            sql: "UPDATE command SET files = ?, bytes = ?, obstacle = ? WHERE id = ?"
        ).run(command.files, command.bytes, command.obstacle?.rawValue, command.number)
        return command.number
    }

    private func keep(_ replacement: Replacement, in command: inout CommandRow) throws {
        if let known = try self.replacement(of: replacement.file, by: command.number) {
            let blob = try Self.replacedBlob(known.before, replacement.after)
            try db.cachedStatement(
                sql: """
                    UPDATE replaced SET after = ?, blob = ?, key = ?
                    WHERE command = ? AND place = ?
                    """
            ).run(
                replacement.after.data,
                blob?.name.hash.bytes.data,
                replacement.key?.data,
                command.number,
                known.place
            )
            return
        }
        let blob = try Self.replacedBlob(replacement.before, replacement.after)
        try db.cachedStatement(
            sql: """
                INSERT INTO replaced (command, place, file, before, after, blob, key)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                """
        ).run(
            command.number,
            command.files,
            replacement.file.bytes.data,
            replacement.before?.data,
            replacement.after.data,
            blob?.name.hash.bytes.data,
            replacement.key?.data
        )
        command.files += 1
        command.bytes += Int64(clamping: blob?.size ?? 0)
    }

    /// The content that goes when one record takes the place of another.
    static func replacedBlob(_ before: [UInt8]?, _ after: [UInt8]) throws -> BlobReference? {
        guard let old = try before.flatMap({ try FileRecord($0).facts.blob }),
            try FileRecord(after).facts.blob?.name != old.name
        else { return nil }
        return old
    }

    /// What became of a file; nil when nobody could tell the difference.
    private func replacement(of id: FileID, before: [UInt8]?) throws -> Replacement? {
        guard let row = try row(id), let after = row.current, after != before else { return nil }
        if let before {
            let (old, new) = (try FileRecord(before), try FileRecord(after))
            if old.facts == new.facts,
                try open(old, of: row).isSame(as: try open(new, of: row))
            {
                return nil
            }
        }
        var replacement = Replacement(place: 0, file: id, before: before, after: after)
        replacement.key = try undoKey.seal(
            try key(of: row).bytes,
            bound: id.bytes,
            random: environment.random
        )
        return replacement
    }
}
