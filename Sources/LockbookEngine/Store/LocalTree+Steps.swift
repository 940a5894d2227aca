import FoundationEssentials
import GRDB
import LockbookCrypto
import LockbookModel

/// An entry up to which this device had synced, and to which it can go back.
struct LogStep {
    let number: Int64
    let header: EntryHeader
    var head: LogHead { LogHead(header) }
}

/// What is remembered of the way to where the log is now: the last 1,000 steps, and no more than
/// 100,000 changed files in all of them.
extension LocalTree {
    private static let mostSteps = 1_000
    private static let mostFiles = 100_000
    // Looking through all steps at each one would cost more than what is kept too long.
    private static let trimmedEvery: Int64 = 16
    private static let tables = ["rewound", "rewound_grant", "rewound_told"]

    /// The steps that are remembered, the oldest first.
    func steps() throws -> [LogStep] {
        try Row.fetchAll(db.cachedStatement(sql: "SELECT number, header FROM step ORDER BY number"))
            .map { LogStep(number: $0[0], header: try EntryHeader($0.bytes(1))) }
    }

    /// - Parameter files: how many files changed since the step before.
    func addStep(_ header: EntryHeader, files: Int) throws {
        try db.cachedStatement(sql: "INSERT INTO step (header, files) VALUES (?, ?)")
            .run(header.bytes.data, files)
        let number = db.lastInsertedRowID
        guard number % Self.trimmedEvery == 0 || files >= 1_000 else { return }
        var sum = 0
        let steps = try Row.fetchAll(
            db.cachedStatement(sql: "SELECT number, files FROM step ORDER BY number DESC")
        )
        for (rank, step) in steps.enumerated() {
            sum += step[1] as Int
            guard rank + 1 >= Self.mostSteps || sum > Self.mostFiles, rank > 0 else { continue }
            try forgetSteps(before: step[0])
            return
        }
    }

    private func forgetSteps(before number: Int64) throws {
        for table in Self.tables {
            try db.cachedStatement(sql: "DELETE FROM \(table) WHERE step <= ?").execute(arguments: [
                number
            ])
        }
        try db.cachedStatement(sql: "DELETE FROM step WHERE number < ?").execute(arguments: [number]
        )
    }

    /// What was agreed at a step of the files that changed since: none for those not known then.
    /// - Parameter step: nil for the time before anything was agreed.
    func agreed(at step: LogStep?) throws -> [FileID: [UInt8]?] {
        var found: [FileID: [UInt8]?] = [:]
        guard let step else {
            for id in try agreedIDs() where !(isForeign && id == root) {
                found.updateValue(nil, forKey: id)
            }
            return found
        }
        // Of several changes the oldest one tells what was there before all of them.
        let rows = try Row.fetchCursor(
            db,
            sql: "SELECT file, before FROM rewound WHERE step > ? ORDER BY step DESC",
            arguments: [step.number]
        )
        while let row = try rows.next() {
            if let id = FileID(row.bytes(0)) { found.updateValue(row.optionalBytes(1), forKey: id) }
        }
        return found
    }

    /// Forgets a file of which nothing is shown any more, but not what was agreed of it at each step:
    /// it may be shown again, and a server then be put back to before that.
    func pruneForNow(_ row: FileRow) throws {
        let states = try Row.fetchAll(
            db.cachedStatement(sql: "SELECT step, before FROM rewound WHERE file = ?"),
            arguments: [row.id.bytes.data]
        )
        let newest = try Int64.fetchOne(db, sql: "SELECT max(number) FROM step")
        try prune(row, for: .unshared)
        let keep = try db.cachedStatement(
            sql: "INSERT OR IGNORE INTO rewound (file, step, before) VALUES (?, ?, ?)"
        )
        for state in states {
            try keep.run(row.id.bytes.data, state[0] as Int64, state[1] as Data?)
        }
        guard let newest, let base = row.base else { return }
        try keep.run(row.id.bytes.data, newest + 1, base.data)
    }

    /// The grants that held at a step, of those that changed since; nil for none.
    func grants(at step: LogStep?) throws -> [(file: FileID, grantee: AccountID, Grant?)] {
        guard let step else {
            return try allGrants().map { ($0.file, AccountID($0.grantee), nil) }
        }
        return try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT file, grantee, before FROM rewound_grant AS this WHERE step > ?1 AND step =
                        (SELECT min(step) FROM rewound_grant
                         WHERE file = this.file AND grantee = this.grantee AND step > ?1)
                    """
            ),
            arguments: [step.number]
        ).compactMap { row in
            guard let file = FileID(row.bytes(0)), let grantee = Hash256(row.bytes(1)) else {
                return nil
            }
            return (file, AccountID(hash: grantee), try row.optionalBytes(2).map { try Grant($0) })
        }
    }

    /// In which of the remembered steps each grant changed last.
    func grantChanges() throws -> [FileID: [AccountID: Int64]] {
        try Row.fetchAll(
            db.cachedStatement(
                sql: "SELECT file, grantee, max(step) FROM rewound_grant GROUP BY file, grantee"
            )
        ).reduce(into: [:]) { changes, row in
            guard let file = FileID(row.bytes(0)), let grantee = Hash256(row.bytes(1)) else {
                return
            }
            changes[file, default: [:]][AccountID(hash: grantee)] = row[2] as Int64
        }
    }

    /// Tells of scopes what was told of them at a step.
    func rewindTold(to step: LogStep?) throws {
        guard let step else { return try db.execute(sql: "DELETE FROM share_told") }
        // Of several changes the oldest one tells what was there before all of them.
        try db.execute(
            sql: """
                CREATE TEMP TABLE told_then AS
                    SELECT scope, outer, before FROM rewound_told AS this WHERE step =
                        (SELECT min(step) FROM rewound_told
                         WHERE scope = this.scope AND outer = this.outer AND step > :step);
                DELETE FROM share_told WHERE (scope, outer) IN
                    (SELECT scope, outer FROM told_then WHERE before = 0);
                INSERT OR IGNORE INTO share_told (scope, outer)
                    SELECT scope, outer FROM told_then WHERE before = 1;
                DROP TABLE told_then;
                """,
            arguments: ["step": step.number]
        )
    }

    /// Nothing was synced after this step.
    func forgetSteps(after step: LogStep?) throws {
        let number = step?.number ?? 0
        for table in Self.tables {
            try db.cachedStatement(sql: "DELETE FROM \(table) WHERE step > ?").execute(arguments: [
                number
            ])
        }
        try db.cachedStatement(sql: "DELETE FROM step WHERE number > ?").execute(arguments: [number]
        )
    }
}
