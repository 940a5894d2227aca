import LockbookModel
import Synchronization

/// The time as one device tells it: that of the machine, and days that passed besides.
package final class DeviceClock: Sendable {
    private let ahead = Mutex<Int64>(0)

    package init() {}

    package func pass(days: Int64) {
        ahead.withLock { $0 += days * 86_400_000 }
    }

    func seconds(_ machine: Int64) -> Int64 { machine + ahead.withLock { $0 } / 1_000 }

    func now(_ machine: Timestamp) -> Timestamp {
        Timestamp(milliseconds: machine.milliseconds + ahead.withLock { $0 })
    }
}
