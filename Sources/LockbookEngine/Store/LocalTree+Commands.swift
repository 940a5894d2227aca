import GRDB
import LockbookCrypto
import LockbookModel

/// The last commands on this device, and what they replaced.
extension LocalTree {
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
                SELECT \(Replacement.columns) FROM replaced WHERE command = ?
                ORDER BY place LIMIT ?
                """
        )
        return try Row.fetchAll(statement, arguments: [command, limit]).compactMap(Replacement.init)
    }

    /// In which order a file had those of its records here that remembered commands replaced, or made.
    func turns(of file: FileID) throws -> [Hash256: Int] {
        var turns: [Hash256: Int] = [:]
        for record in try replacedRecords(of: file) {
            let hash = record.hash
            if turns[hash] == nil { turns[hash] = turns.count }
        }
        return turns
    }

    /// The records of a file that remembered commands replaced, or made, in their order.
    func replacedRecords(of file: FileID) throws -> [FileRecord] {
        let statement = try db.cachedStatement(
            sql: "SELECT before, after FROM replaced WHERE file = ? ORDER BY command, place"
        )
        let records = try statement.all([file.bytes.data]) {
            [$0.optionalBytes(0), $0.bytes(1)].compactMap(\.self)
        }
        return try records.flatMap(\.self).map { try FileRecord($0) }
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

    /// What a command replaced of a file; nil for nothing.
    func replacement(of file: FileID, by command: Int64) throws -> Replacement? {
        let statement = try db.cachedStatement(
            sql: "SELECT \(Replacement.columns) FROM replaced WHERE file = ? AND command = ?"
        )
        return try Row.fetchOne(statement, arguments: [file.bytes.data, command])
            .flatMap(Replacement.init)
    }
}
