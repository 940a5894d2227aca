import Glibc
import LockbookModel

extension ExportPlace {
    /// How a file is to be on disk, besides its bytes.
    struct Style: Sendable {
        let mode: mode_t
        let modified: timespec
    }
}

extension ExportItem {
    /// For this user alone, with the author's time.
    var style: ExportPlace.Style {
        ExportPlace.Style(mode: isExecutable ? 0o700 : 0o600, modified: modified)
    }
}

extension ExportPlace.Style {
    init(mode: mode_t, modified: Timestamp) {
        let seconds = modified.seconds
        self.mode = mode
        self.modified = timespec(
            tv_sec: Int(seconds.whole),
            tv_nsec: Int(seconds.milliseconds) * 1_000_000
        )
    }
}
