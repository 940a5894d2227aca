import FoundationEssentials
import GRDB
import LockbookCrypto
import LockbookModel

/// What the last commands on this device replaced, so that they can be taken back.
///
/// The last 50 commands are kept, while they are of at most 40,000 files and 256 MB of replaced
/// contents together; the last one stays however large its contents are. What a merge does is no
/// command.
extension LocalTree {
    private static let mostCommands = 50
    private static let mostFiles: Int64 = 40_000
    private static let mostBytes: Int64 = 256 << 20

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
    private static func replacedBlob(_ before: [UInt8]?, _ after: [UInt8]) throws -> BlobReference?
    {
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

    // MARK: Reading

    /// The commands that are remembered, the newest first.
    func commands() throws -> [CommandRow] {
        let statement = try db.cachedStatement(
            sql: "SELECT \(CommandRow.columns) FROM command ORDER BY id DESC"
        )
        return try Row.fetchAll(statement).map(CommandRow.init)
    }

    func command(_ number: Int64) throws -> CommandRow? {
        let statement = try db.cachedStatement(
            sql: "SELECT \(CommandRow.columns) FROM command WHERE id = ?"
        )
        return try Row.fetchOne(statement, arguments: [number]).map(CommandRow.init)
    }

    /// This tree's part of a command that changed several.
    func command(_ joint: JointCommand) throws -> CommandRow? {
        let statement = try db.cachedStatement(
            sql: "SELECT \(CommandRow.columns) FROM command WHERE joint = ?"
        )
        return try Row.fetchOne(statement, arguments: [joint.id.data]).map(CommandRow.init)
    }

    func note(_ joint: JointCommand, for command: Int64) throws {
        try db.cachedStatement(sql: "UPDATE command SET joint = ?, parts = ? WHERE id = ?")
            .run(joint.id.data, joint.parts, command)
    }

    func newestCommand() throws -> Int64? {
        try Int64.fetchOne(try db.cachedStatement(sql: "SELECT max(id) FROM command"))
    }

    /// What a command replaced, in its order.
    func replacements(of command: Int64, limit: Int = .max) throws -> [Replacement] {
        let statement = try db.cachedStatement(
            sql: """
                SELECT place, file, before, after, key FROM replaced WHERE command = ?
                ORDER BY place LIMIT ?
                """
        )
        return try Row.fetchAll(statement, arguments: [command, limit]).compactMap(Replacement.init)
    }

    /// Whether a deleted file came to the trash before a command, and was left alone since.
    func wasTrashed(_ file: FileID, before command: CommandRow) throws -> Bool {
        let statement = try db.cachedStatement(
            sql: """
                SELECT here <= ?2
                    AND NOT EXISTS (SELECT 1 FROM replaced WHERE file = ?1 AND command > ?3)
                FROM trash WHERE file = ?1
                """
        )
        let arguments: StatementArguments = [file.bytes.data, command.time, command.number]
        return try Bool.fetchOne(statement, arguments: arguments) ?? false
    }

    /// When a file became what it is on this device: by the newest command that changed it, else,
    /// when it is deleted, by when it came to the trash; nil when neither is remembered.
    func timeOfChange(of row: FileRow) throws -> Timestamp? {
        let statement = try db.cachedStatement(
            sql: """
                SELECT coalesce(
                    (SELECT at FROM command WHERE id = (
                        SELECT max(command) FROM replaced WHERE file = ?1)),
                    (SELECT here FROM trash WHERE file = ?1))
                """
        )
        return try Int64.fetchOne(statement, arguments: [row.id.bytes.data])
            .map { Timestamp(milliseconds: $0) }
    }

    private func replacement(of file: FileID, by command: Int64) throws -> Replacement? {
        let statement = try db.cachedStatement(
            sql: """
                SELECT place, file, before, after, key FROM replaced WHERE file = ? AND command = ?
                """
        )
        return try Row.fetchOne(statement, arguments: [file.bytes.data, command])
            .flatMap(Replacement.init)
    }

    // MARK: Letting go

    private func trimJournal() throws {
        // A content of an entry whose fate is open may have to be sent again.
        guard try !hasPendingFiles() else { return }
        var (files, bytes): (Int64, Int64) = (0, 0)
        for (rank, command) in try commands().enumerated() {
            files += command.files
            bytes += command.bytes
            let stays =
                rank < Self.mostCommands && files <= Self.mostFiles && bytes <= Self.mostBytes
            guard !stays, rank > 0 else { continue }
            try dropReplacements(of: command.number)
            try db.cachedStatement(sql: "DELETE FROM command WHERE id = ?").run(command.number)
        }
        try trimJoined()
    }

    private func dropReplacements(of command: Int64) throws {
        let replaced = try replacements(of: command)
        try db.cachedStatement(sql: "DELETE FROM replaced WHERE command = ?").run(command)
        guard try !hasPendingFiles() else { return }
        for replacement in replaced {
            guard let blob = try Self.replacedBlob(replacement.before, replacement.after)?.name
            else { continue }
            let row = try row(replacement.file)
            let used = try [row?.local, row?.base].compactMap { $0 }
                .contains { try FileRecord($0).facts.blob?.name == blob }
            if !used { try dropBlob(blob) }
        }
    }

    /// Lets go of all that was kept of a file that is gone from here; the commands that changed it
    /// cannot be taken back any more.
    /// - Parameter obstacle: why it is gone.
    func dropJournal(of row: FileRow, for obstacle: UndoObstacle) throws {
        let file = row.id.bytes.data
        let statement = try db.cachedStatement(
            sql: "SELECT place, file, before, after, key FROM replaced WHERE file = ?"
        )
        let replaced = try Row.fetchAll(statement, arguments: [file]).compactMap(Replacement.init)
        guard !replaced.isEmpty else { return }
        try db.cachedStatement(
            sql: """
                UPDATE command SET obstacle = coalesce(obstacle, ?)
                WHERE id IN (SELECT command FROM replaced WHERE file = ?)
                """
        ).run(obstacle.rawValue, file)
        try db.cachedStatement(sql: "DELETE FROM replaced WHERE file = ?").run(file)
        for replacement in replaced {
            let blob = try replacement.before.flatMap { try FileRecord($0).facts.blob?.name }
            if let blob { try dropBlob(blob) }
        }
    }
}
