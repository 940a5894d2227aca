import CLinux
import Glibc

/// Notices when an editor has saved, while it goes on.
struct SaveWatch: ~Copyable {
    private let events: Int32

    /// How long a save has to stand before it counts, in milliseconds: an editor that saves and ends
    /// is asked once, at its end.
    private static let settling: Int32 = 200

    /// - Returns: nil where the system has no way to be told of changes.
    init?(on folder: String) {
        // IN_CLOEXEC, IN_NONBLOCK.
        events = inotify_init1(O_CLOEXEC | O_NONBLOCK)
        guard events >= 0 else { return nil }
        // IN_CLOSE_WRITE, IN_MOVED_TO: written in place, or beside it and renamed.
        guard inotify_add_watch(events, folder, 0x08 | 0x80) >= 0 else { return nil }
    }

    deinit {
        if events >= 0 { close(events) }
    }

    /// Calls for every save until the process has ended.
    func call(_ saved: () -> Void, until process: pid_t) {
        let end = pidfd_open(process, 0)
        guard end >= 0 else { return }
        defer { close(end) }
        var isDirty = false
        while true {
            var waited = [
                pollfd(fd: end, events: Int16(POLLIN), revents: 0),
                pollfd(fd: events, events: Int16(POLLIN), revents: 0),
            ]
            let count = poll(&waited, 2, isDirty ? Self.settling : -1)
            if count < 0, errno != EINTR { return }
            if waited[0].revents != 0 { return }
            if waited[1].revents != 0 {
                drain()
                isDirty = true
            } else if count == 0, isDirty {
                isDirty = false
                saved()
                // Of its own notes beside the text.
                drain()
            }
        }
    }

    private func drain() {
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while read(events, &buffer, buffer.count) > 0 {}
    }
}
