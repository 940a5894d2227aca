import GRDB
import GRDBSQLite
import LockbookCrypto
import LockbookModel

/// A statement that runs once for each record of a push, or for each blob that is asked for.
///
/// GRDB prepares and keeps it; values go in and out of SQLite without a box around each, which in
/// a push of ten thousand records is a third of the time.
struct HotStatement {
    // Keeps the prepared statement.
    private let statement: Statement
    private let pointer: SQLiteStatement

    init(_ statement: Statement) {
        self.statement = statement
        pointer = statement.sqliteStatement
        sqlite3_reset(pointer)
        sqlite3_clear_bindings(pointer)
    }

    // SQLite copies what is bound before the call returns.
    private static var copied: sqlite3_destructor_type {
        unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    }

    func bind(_ value: Int64?, at index: Int32) {
        if let value {
            sqlite3_bind_int64(pointer, index, value)
        } else {
            sqlite3_bind_null(pointer, index)
        }
    }

    func bind(_ hash: Hash256, at index: Int32) {
        hash.withUnsafeBytes {
            _ = sqlite3_bind_blob(pointer, index, $0.baseAddress, 32, Self.copied)
        }
    }

    func bind(_ bytes: [UInt8]?, at index: Int32) {
        guard let bytes else {
            sqlite3_bind_null(pointer, index)
            return
        }
        // Of no bytes an array need not have an address, and without one SQLite takes NULL.
        guard !bytes.isEmpty else {
            sqlite3_bind_zeroblob(pointer, index, 0)
            return
        }
        bytes.withUnsafeBytes {
            _ = sqlite3_bind_blob(pointer, index, $0.baseAddress, Int32($0.count), Self.copied)
        }
    }

    /// Goes to the next row.
    /// - Returns: false when there is none.
    func step() throws -> Bool {
        switch sqlite3_step(pointer) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code:
            let message = String(cString: sqlite3_errmsg(sqlite3_db_handle(pointer)))
            sqlite3_reset(pointer)
            throw DatabaseError(resultCode: ResultCode(rawValue: code), message: message)
        }
    }

    /// Makes it ready to be bound and run again.
    func reset() {
        sqlite3_reset(pointer)
    }

    /// Runs an insertion that gives way to a row that is there.
    /// - Returns: the new row; nil when there was one.
    func inserted() throws -> Int64? {
        defer { reset() }
        _ = try step()
        let connection = sqlite3_db_handle(pointer)
        return sqlite3_changes(connection) == 0 ? nil : sqlite3_last_insert_rowid(connection)
    }

    /// Runs a change of one row that returns a number.
    func returned() throws -> Int64 {
        defer { reset() }
        guard try step() else { throw StoreFailure.damaged }
        return int(at: 0)
    }

    func int(at column: Int32) -> Int64 {
        sqlite3_column_int64(pointer, column)
    }

    /// Nil for NULL.
    func optionalInt(at column: Int32) -> Int64? {
        sqlite3_column_type(pointer, column) == SQLITE_NULL ? nil : int(at: column)
    }

    /// Nil for NULL.
    func optionalBytes(at column: Int32) -> [UInt8]? {
        sqlite3_column_type(pointer, column) == SQLITE_NULL ? nil : bytes(at: column)
    }

    func bytes(at column: Int32) -> [UInt8] {
        guard let start = sqlite3_column_blob(pointer, column) else { return [] }
        return Array(
            UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(pointer, column)))
        )
    }
}
