import Glibc
import LockbookEngine

/// Where this device keeps the account: `LOCKBOOK_PATH`, else `lockbook` in the XDG data directory.
enum DataDirectory {
    static func path() throws -> String {
        if let path = Environment["LOCKBOOK_PATH"] {
            return path
        }
        if let data = Environment["XDG_DATA_HOME"], data.hasPrefix("/") {
            return data + "/lockbook"
        }
        guard let home = Environment["HOME"] ?? homeOfUser() else {
            throw CommandError.noHome
        }
        return home + "/.local/share/lockbook"
    }

    private static func homeOfUser() -> String? {
        guard let user = getpwuid(getuid()), let home = user.pointee.pw_dir else { return nil }
        return String(cString: home)
    }
}

extension Lockbook {
    /// The account of this device, where the environment says that it is.
    static func open() throws -> Lockbook {
        try open(directory: DataDirectory.path())
    }
}
