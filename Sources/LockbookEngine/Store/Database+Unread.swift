import GRDB
import GRDBSQLite
import Glibc

extension Database {
    /// Does something; a page that the disk does not give is told apart from a damaged one.
    ///
    /// SQLite calls both damaged: of EIO its `unixRead` makes SQLITE_IOERR_CORRUPTFS, and of that
    /// `sqlite3VdbeExec` makes SQLITE_CORRUPT.
    /// - Parameter schema: the name of the database that is read.
    func tellingUnread<Result>(of schema: String = "main", _ body: () throws -> Result) throws
        -> Result
    {
        do {
            return try body()
        } catch let error as DatabaseError
            where error.resultCode == .SQLITE_CORRUPT && isUnread(schema)
        {
            throw DatabaseError(resultCode: .SQLITE_IOERR_READ)
        }
    }

    /// Whether the disk failed to give something of a database or its log, the last time that one failed
    /// (https://www.sqlite.org/c3ref/c_fcntl_begin_atomic_write.html).
    func isUnread(_ schema: String = "main") -> Bool {
        var ofFile: CInt = 0
        sqlite3_file_control(sqliteConnection, schema, SQLITE_FCNTL_LAST_ERRNO, &ofFile)
        var log: UnsafeMutablePointer<sqlite3_file>?
        sqlite3_file_control(sqliteConnection, schema, SQLITE_FCNTL_JOURNAL_POINTER, &log)
        var ofLog: CInt = 0
        _ = log?.pointee.pMethods?.pointee.xFileControl?(log, SQLITE_FCNTL_LAST_ERRNO, &ofLog)
        return !Set([EIO, ENXIO]).isDisjoint(with: [ofFile, ofLog])
    }
}
