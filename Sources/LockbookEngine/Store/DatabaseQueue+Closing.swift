import GRDB
import LockbookProcess
import Synchronization

extension DatabaseQueue {
    /// More than a command opens, and few enough to keep.
    private static let mostKept = 64
    private static let keptCount = Mutex(0)

    /// Closes the database for good.
    ///
    /// To free what GRDB left with its queue, libdispatch starts a thread, and where it gets none it tries again
    /// for ever. So the first queues of a process are kept, which saves a command that thread, and so are
    /// all others while there is none to be had.
    func closeForGood() {
        try? close()
        let isKept = Self.keptCount.withLock { count in
            guard count < Self.mostKept || !RoomForThreads.isThere(for: 1) else { return false }
            count += 1
            return true
        }
        if isKept { _ = Unmanaged.passRetained(self) }
    }
}
