import GRDB
import LockbookModel

/// Entries that the server was asked to append, and refused.
///
/// One that fails at its end, or lies, may have appended such an entry all the same. Then it is this
/// device's own, and what is here was written over it. Each was signed over the newest entry that was
/// known: once the log goes on otherwise, it never will be in it.
extension LocalTree {
    /// Each may list a whole share; of two, one is without what nobody else has to have.
    private static let mostRefused: Int64 = 2

    /// Does without the entry that was sent, and keeps it apart where it may be in the log.
    func setPendingAside() throws {
        guard try wasOffered() else { return try forgetPending() }
        try db.cachedStatement(
            sql: """
                INSERT INTO refused_entry (header, certificate, entry_group)
                SELECT header, certificate, entry_group FROM pending
                """
        ).run()
        let number = db.lastInsertedRowID
        try db.cachedStatement(
            sql: """
                INSERT INTO refused_record (entry, file, record)
                SELECT ?, file, record FROM pushed
                """
        ).run(number)
        try forgetPending()
        refusedEntriesKnown = true
        try forgetRefusedEntries(upTo: number - Self.mostRefused)
    }

    /// Takes the place of what is pending for an entry that the server refused, and has in its log.
    /// - Parameter entries: those that the log went on with.
    func takeUpRefused(among entries: [EntryHeader]) throws {
        guard try !entries.isEmpty && hasRefusedEntries() else { return }
        let refused = try db.cachedStatement(sql: "SELECT number, header FROM refused_entry")
            .all([]) { (number: $0[0] as Int64, header: try EntryHeader($0.bytes(1))) }
        guard let found = refused.first(where: { entries.contains($0.header) }) else { return }
        try forgetPending()
        try db.cachedStatement(
            sql: """
                INSERT INTO pending (header, certificate, entry_group)
                SELECT header, certificate, entry_group FROM refused_entry WHERE number = ?
                """
        ).run(found.number)
        try db.cachedStatement(
            sql: """
                INSERT INTO pushed (file, record)
                SELECT file, record FROM refused_record WHERE entry = ?
                """
        ).run(found.number)
        pendingChanged()
    }

    /// Keeps the record that they may list of a file, when that changes.
    func keepRefused(_ record: [UInt8], of file: FileID) throws {
        guard try hasRefusedEntries() else { return }
        try db.cachedStatement(
            sql: """
                INSERT OR IGNORE INTO refused_record (entry, file, record)
                SELECT number, ?, ? FROM refused_entry
                """
        ).run(file.bytes.data, record.data)
    }

    /// None of them will be in the log.
    func forgetRefusedEntries() throws {
        guard try hasRefusedEntries() else { return }
        try forgetRefusedEntries(upTo: .max)
        refusedEntriesKnown = false
    }

    private func forgetRefusedEntries(upTo number: Int64) throws {
        try db.cachedStatement(sql: "DELETE FROM refused_entry WHERE number <= ?").run(number)
        try db.cachedStatement(sql: "DELETE FROM refused_record WHERE entry <= ?").run(number)
    }

    private func hasRefusedEntries() throws -> Bool {
        if let refusedEntriesKnown { return refusedEntriesKnown }
        let isAny =
            try Bool.fetchOne(
                db.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM refused_entry)")
            ) ?? false
        refusedEntriesKnown = isAny
        return isAny
    }
}
