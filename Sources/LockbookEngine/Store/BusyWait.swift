import GRDB
import Glibc

/// How long a change waits for another process that holds the store, and when that is told of.
enum BusyWait {
    private static let seconds = 15.0
    /// After so long somebody who looks on wonders.
    private static let patience: Int32 = 2_000

    /// Waits as SQLite's own timeout does, a little longer each time.
    /// - Parameter notice: called once, when it takes long.
    static func mode(_ notice: @escaping @Sendable () -> Void) -> Database.BusyMode {
        .callback { attempt in
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
