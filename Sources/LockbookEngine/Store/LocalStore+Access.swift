import CSQLite
import GRDB
import Glibc

extension LocalStore {
    /// How a database can be opened where it stands.
    private enum Access {
        /// By several processes, through a file of shared memory beside it.
        case shared
        /// By this process alone, which needs no such file: on a full disk.
        case alone
        /// For reading, as a file that nobody changes: on a disk that cannot be written.
        case unchanging
    }

    /// Opens a database; where it cannot be written it can still be read.
    /// - Returns: with the version that it says it is of.
    static func open(_ path: String, _ busy: Database.BusyMode) throws -> (DatabaseQueue, Int?) {
        try OpenFiles.need(OpenFiles.ofStore)
        // SQLite makes its files with the process's mask; the folder is 0700 besides.
        let mask = umask(0o077)
        defer { umask(mask) }
        mendModes(beside: path)
        do {
            return try open(path, .shared, busy)
        } catch let error as DatabaseError where isForWantOfRoom(error) {
            return try open(path, .alone, busy)
        } catch let error as DatabaseError where isForWantOfRights(error) {
            // With a journal beside it the file alone is not the whole truth.
            guard Disk.exists(path), !Disk.exists(path + "-wal") else { throw error }
            return try open(path, .unchanging, busy)
        }
    }

    /// Gives its owner the right to write what SQLite made beside a database that was read-only then, and
    /// no more: it has the mode that the database had.
    private static func mendModes(beside path: String) {
        guard let database = try? Disk.status(path), database.st_mode & 0o200 != 0 else { return }
        for other in [path + "-wal", path + "-shm"] {
            guard let file = try? Disk.status(other), file.st_mode & S_IFMT == S_IFREG,
                file.st_uid == geteuid(), file.st_mode & 0o200 == 0
            else { continue }
            // Where that fails, so does the opening, or the change, which is told.
            chmod(other, 0o600)
        }
    }

    /// Once for the process, before its first database is opened.
    private static let isUncounted = sqlite3_config_memstatus(0) == SQLITE_OK

    private static func open(
        _ path: String,
        _ access: Access,
        _ busy: Database.BusyMode
    ) throws -> (DatabaseQueue, Int?) {
        _ = isUncounted
        var configuration = Configuration()
        configuration.busyMode = busy
        configuration.readonly = access == .unchanging
        let lock = access == .alone ? "PRAGMA locking_mode = EXCLUSIVE; " : ""
        configuration.prepareDatabase { db in
            // FULL: what was committed is on disk, also after a power cut. What a first sync
            // commits goes from the log to the database once, when the last process closes it.
            // What is deleted is written over. Pages of some 30,000 files stay in memory.
            try db.tellingUnread {
                try db.execute(
                    sql: lock + "PRAGMA synchronous = FULL; PRAGMA cache_size = -16000; "
                        + "PRAGMA temp_store = 2; PRAGMA wal_autocheckpoint = 8192; "
                        + "PRAGMA secure_delete = ON"
                )
            }
        }
        let name = access == .unchanging ? "file:\(escaped(path))?immutable=1" : path
        let queue = try DatabaseQueue(path: name, configuration: configuration)
        do {
            // The first look at the file is where it fails.
            let version = try queue.inDatabase { db in
                try db.tellingUnread { try Int.fetchOne(db, sql: "PRAGMA user_version") }
            }
            return (queue, version)
        } catch {
            queue.closeForGood()
            throw error
        }
    }

    private static func isForWantOfRoom(_ error: DatabaseError) -> Bool {
        switch error.resultCode {
        case .SQLITE_FULL: true
        case .SQLITE_IOERR:
            [.SQLITE_IOERR_SHMSIZE, .SQLITE_IOERR_SHMMAP, .SQLITE_IOERR_SHMOPEN]
                .contains(error.extendedResultCode)
        default: false
        }
    }

    private static func isForWantOfRights(_ error: DatabaseError) -> Bool {
        [.SQLITE_CANTOPEN, .SQLITE_READONLY, .SQLITE_PERM].contains(error.resultCode)
    }

    /// A path as SQLite's URIs want it (https://www.sqlite.org/uri.html, section 3).
    private static func escaped(_ path: String) -> String {
        path.utf8.map { byte in
            let isPlain =
                UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte
                || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte
                || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || "/-_.".utf8.contains(byte)
            let digits = String(byte, radix: 16, uppercase: true)
            return isPlain
                ? String(UnicodeScalar(byte)) : "%" + (digits.count < 2 ? "0" : "") + digits
        }.joined()
    }
}
