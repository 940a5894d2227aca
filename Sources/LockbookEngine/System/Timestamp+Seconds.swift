import LockbookModel

/// Times as the system has them. Others may have written any number, and a disk may have any time.
extension Timestamp {
    /// Whole seconds since 1970, rounded down, and the milliseconds on top.
    var seconds: (whole: Int64, milliseconds: Int64) {
        let (whole, part) = milliseconds.quotientAndRemainder(dividingBy: 1_000)
        return part < 0 ? (whole - 1, part + 1_000) : (whole, part)
    }

    /// What is beyond what milliseconds can say is the last that they can.
    init(seconds: Int64, nanoseconds: Int64 = 0) {
        let (whole, isBeyond) = seconds.multipliedReportingOverflow(by: 1_000)
        let (all, isOver) = whole.addingReportingOverflow(nanoseconds / 1_000_000)
        self.init(milliseconds: isBeyond || isOver ? (seconds < 0 ? .min : .max) : all)
    }
}

extension LocalTree {
    /// A time that a file or another program tells; one of the future is now.
    ///
    /// A note of the future would stay the newest for as long as that has not come.
    func pastTime(_ time: Timestamp) -> Timestamp { min(time, environment.now()) }
}
