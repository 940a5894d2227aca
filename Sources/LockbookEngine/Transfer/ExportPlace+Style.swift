import Glibc
import LockbookModel

extension ExportItem {
    /// For this user alone, with the author's time.
    var style: ExportPlace.Style {
        ExportPlace.Style(mode: isExecutable ? 0o700 : 0o600, modified: modified)
    }
}

extension ExportPlace.Style {
    init(mode: mode_t, modified: Timestamp) {
        let seconds = modified.milliseconds.quotientFloor(1_000)
        self.mode = mode
        self.modified = timespec(
            tv_sec: Int(seconds),
            tv_nsec: Int(modified.milliseconds - seconds * 1_000) * 1_000_000
        )
    }
}

extension Int64 {
    /// Division that rounds down, also for times before 1970.
    fileprivate func quotientFloor(_ divisor: Int64) -> Int64 {
        let quotient = self / divisor
        return self % divisor < 0 ? quotient - 1 : quotient
    }
}
