import GRDB
import Glibc

/// How long a change waits for another process that holds the store, and when that is told of.
enum BusyWait {
    private static let seconds = 15.0
    /// After so long somebody who looks on wonders.
    private static let patience: Int32 = 2_000

    /// Waits as SQLite's own timeout does, a little longer each time, and says when that is long.
    static func mode(_ context: StoreContext) -> Database.BusyMode {
        let (account, notice) = (context.account, context.environment.busy)
        return .callback { attempt in
            if attempt == 0, account.isWithoutLocks { return false }
            let before = elapsed(before: attempt)
            let after = elapsed(before: attempt + 1)
            guard Double(before) < seconds * 1_000 else { return false }
            if before < patience, after >= patience { notice() }
            usleep(UInt32(after - before) * 1_000)
            return true
        }
    }

    /// Takes the lock of a folder that is there, or waits for it.
    /// - Returns: nil when somebody held it for all the time.
    static func lock(folder path: String, _ notice: () -> Void) throws -> LockFile? {
        if let lock = try LockFile(folder: path, waitingSeconds: Double(patience) / 1_000) {
            return lock
        }
        notice()
        return try LockFile(
            folder: path,
            waitingSeconds: seconds - Double(patience) / 1_000
        )
    }

    /// Milliseconds.
    private static func elapsed(before attempt: Int) -> Int32 {
        // The first ones are short: most changes take a few milliseconds.
        let attempt = Int32(clamping: min(attempt, 100_000))
        return attempt <= 10 ? attempt * attempt : 100 + (attempt - 10) * 50
    }
}

extension AccountFile {
    /// Whether the file system of the data directory gives no locks, which SQLite calls busy.
    var isWithoutLocks: Bool { LockFile.areMissing(at: Self.path(in: directory)) }
}
