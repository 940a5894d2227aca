import Glibc
import LockbookEngine
import Synchronization

/// Where this device keeps the account: `LOCKBOOK_PATH`, else what the configuration says, else
/// `lockbook` in the XDG data directory.
enum DataDirectory {
    static func path() throws -> String {
        if let path = Environment["LOCKBOOK_PATH"] {
            return path
        }
        let settings = try Settings.current()
        if let path = settings.text(.path) {
            return path
        }
        let name = settings.profile.map { Self.name("/lockbook", of: $0) } ?? "/lockbook"
        if let data = Environment["XDG_DATA_HOME"], data.hasPrefix("/") {
            return data + name
        }
        guard let home = try home() else {
            throw CommandError.noHome
        }
        return home + "/.local/share" + name
    }

    /// The folder of a profile, beside that of no profile.
    static func name(_ folder: String, of profile: String) -> String {
        var folder = folder
        while folder.count > 1, folder.hasSuffix("/") { folder.removeLast() }
        return "\(folder)-\(profile)"
    }

    /// The user's home directory; nil when the environment does not tell where it is.
    ///
    /// The one in the list of users does not count: a service without `HOME` would find, or make,
    /// an account there that nobody meant.
    /// - Throws: `.notUTF8Folder`, here and not at the start: where the other variables name all
    ///   folders, it is not used.
    static func home() throws -> String? {
        try Environment.requirePlaces("HOME")
        return Environment["HOME"]
    }
}

extension Lockbook {
    /// The account of this device, where the environment says that it is.
    static func open() throws -> Lockbook {
        let directory = try DataDirectory.path()
        // The engine knows the environment alone.
        for key in [SettingKey.lazyBytes, .trashDays] {
            guard let found = try Settings.current()[key], !found.isDefault else { continue }
            for name in key.variables { setenv(name, found.value, 1) }
        }
        let lockbook = try open(directory: directory) {
            Terminal.notice("waiting for another process, which is changing this lockbook")
        }
        // Whatever this process changes is one command.
        lockbook.joinChanges()
        opened.withLock { $0.lockbook = lockbook }
        return lockbook
    }

    /// The one that a command of this process has open, or else opened now.
    ///
    /// Without room for what processes share, a database is held alone, and a second opening would wait
    /// for the first.
    static func openForHint() throws -> Lockbook {
        try opened.withLock { $0.lockbook } ?? open()
    }

    private struct Opened {
        weak var lockbook: Lockbook?
    }

    private static let opened = Mutex(Opened())
}
