import GRDB
import LockbookCrypto
import LockbookModel

/// What is let go of the commands that can be taken back.
///
/// The last 100 are kept, so that 50 can be taken back one by one: each `undo` is a command as well. They
/// are of at most 40,000 files and 256 MB of replaced contents together; the last one stays however
/// large its contents are.
extension LocalTree {
    private static let mostCommands = 100
    private static let mostFiles: Int64 = 40_000
    private static let mostBytes: Int64 = 256 << 20

    func trimJournal() throws {
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

    func dropReplacements(of command: Int64) throws {
        let replaced = try replacements(of: command)
        try db.cachedStatement(sql: "DELETE FROM replaced WHERE command = ?").run(command)
        try letGo(
            replaced.compactMap { replacement in
                try Self.replacedBlob(replacement.before, replacement.after).map {
                    ($0.name, replacement.file)
                }
            }
        )
    }

    /// Lets go of all that was kept of a file that is gone from here; the commands that changed it
    /// cannot be taken back any more.
    /// - Parameter obstacle: why it is gone.
    func dropJournal(of row: FileRow, for obstacle: UndoObstacle) throws {
        let file = row.id.bytes.data
        let statement = try db.cachedStatement(
            sql: "SELECT \(Replacement.columns) FROM replaced WHERE file = ?"
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
