import GRDB
import LockbookModel

/// What the store was like when an entry of shares was signed: while nothing in it is another, what
/// was read then need not be read again to agree on the entry.
struct SealedState {
    /// Tells one state of a store from every other that this process sees of it.
    struct Mark: Equatable {
        /// What other processes committed (https://www.sqlite.org/pragma.html#pragma_data_version).
        let ofOthers: Int64
        /// Rows that this one changed.
        let own: Int
    }

    /// Of files that were as the server has them.
    let rows: [SealedRow]
    /// In the order of the rows.
    let records: [FileRecord]
    let mark: Mark
}

extension LocalTree {
    /// The state of the store within this transaction.
    func mark() throws -> SealedState.Mark {
        guard let ofOthers = try Int64.fetchOne(db.cachedStatement(sql: "PRAGMA data_version"))
        else { throw LockbookError.store(reason: "the database does not tell its version") }
        return SealedState.Mark(ofOthers: ofOthers, own: db.totalChangesCount)
    }
}
