import Glibc

/// The limit on how large a file may become (`ulimit -f`): what would exceed it fails, and is told as any
/// failure, instead of ending the program wherever it is.
///
/// A read tidies the database at its end, and fails in nothing when that cannot be; so does a change that is
/// safe in the log beside the database.
enum SizeLimit {
    static func becomesAnError() {
        signal(SIGXFSZ, SIG_IGN)
    }

    /// What a program started with these attributes finds as it would without us.
    static func restore(in signals: inout sigset_t) {
        sigaddset(&signals, SIGXFSZ)
    }

    /// For what starts a program itself.
    static func restored<Result>(_ body: () throws -> Result) rethrows -> Result {
        signal(SIGXFSZ, SIG_DFL)
        defer { becomesAnError() }
        return try body()
    }
}
