import CLinux
import Glibc
import LockbookEngine
import Synchronization

/// A command that may do something for a sync to send: where the configuration says so, one follows it.
protocol FollowedBySync {}

/// The sync that follows a change when `auto_sync` is set.
///
/// It is a process of its own that nobody waits for; what it has to say is in `status`.
enum BackgroundSync {
    /// What this program is called with to be that process.
    static let word = "__sync"
    /// Changes that come so soon after one another are one sync, in milliseconds.
    private static let pause: UInt64 = 300
    /// POSIX_SPAWN_SETSID, which Swift's module of the C library leaves out.
    private static let newSession: Int16 = 0x80

    /// Starts one, if that is wanted and none waits that would do; takes about a millisecond.
    static func start() {
        guard let settings = try? Settings.current(), settings.isOn(.autoSync),
            let directory = try? DataDirectory.path(),
            !Lockbook.isSyncAwaited(directory: directory)
        else { return }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for stream: Int32 in 0...2 {
            posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_RDWR, 0)
        }
        // Locks, pipes and file systems that the caller lets go of are free.
        guard posix_spawn_file_actions_addclosefrom_np(&actions, 3) == 0,
            posix_spawn_file_actions_addchdir_np(&actions, "/") == 0, makePlacesAbsolute()
        else { return }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // Neither the end of the terminal nor a Ctrl-C there concerns it.
        posix_spawnattr_setflags(&attributes, newSession | Int16(POSIX_SPAWN_SETSIGMASK))
        // Nor is it deaf to the signals that a command held back to tell how far it was.
        var held = sigset_t()
        sigemptyset(&held)
        posix_spawnattr_setsigmask(&attributes, &held)
        let arguments = ["lockbook", word]
        var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) }
        words.append(nil)
        defer {
            for word in words { free(word) }
        }
        var process: pid_t = 0
        let code = posix_spawn(
            &process,
            "/proc/self/exe",
            &actions,
            &attributes,
            &words,
            environ
        )
        if code != 0 { note(unstarted: String(cString: strerror(code))) }
    }

    /// Remembers that there was none, as of one that failed.
    private static func note(unstarted reason: String) {
        // The command did what it was to, whatever comes of this.
        try? Lockbook.open().noteBackgroundSync(
            failure: "it could not be started: \(reason)",
            decisions: []
        )
    }

    /// Names the places of the environment so that they are the same in every folder.
    /// - Returns: false where one of them is not there.
    private static func makePlacesAbsolute() -> Bool {
        for name in ["HOME", "LOCKBOOK_PATH"] {
            guard let path = Environment[name], !path.hasPrefix("/") else { continue }
            guard let place = realpath(path, nil) else { return false }
            defer { free(place) }
            setenv(name, place, 1)
        }
        return true
    }

    /// Syncs, and remembers what there is to tell.
    static func run() -> Never {
        if let lockbook = try? Lockbook.open() {
            sync(lockbook)
        }
        exit(Status.done.rawValue)
    }

    private static func sync(_ lockbook: Lockbook) {
        let unfinished = Mutex<SyncReport?>(nil)
        do {
            let report = try waiting {
                try await lockbook.syncInTurn(pause: pause) { report in
                    unfinished.withLock { $0 = report }
                }
            }
            guard let report else { return }
            let decisions = report.unwatched(for: lockbook.username)
            try lockbook.noteBackgroundSync(failure: nil, decisions: decisions)
        } catch {
            // What it did before it failed is done, and the next sync will not tell it again.
            let decisions = unfinished.withLock { $0?.unwatched(for: lockbook.username) } ?? []
            var reason: String?
            switch error {
            case LockbookError.busy, LockbookError.stopped, LockbookError.noAccount:
                // Another sync is at work; or `status` says that this one asks for a decision.
                if decisions.isEmpty { return }
            default:
                let failure = Failure(error)
                lockbook.remember(failure)
                reason = failure.message ?? Failure.unexpected(error)
            }
            // Where even this cannot be written down, the next command will say so itself.
            try? lockbook.noteBackgroundSync(failure: reason, decisions: decisions)
        }
    }
}
