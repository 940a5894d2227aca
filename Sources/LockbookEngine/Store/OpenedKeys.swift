import LockbookCrypto
import LockbookModel
import Synchronization

/// What bytes in the stores of an account say of keys, found out once and not in each transaction:
/// points are multiplied for it.
final class OpenedKeys: Sendable {
    let grants = OpenedBytes<Grant>()
    let certificates = OpenedBytes<AccountCertificate>()
    /// Keys of shared files, by what was wrapped for this account.
    let wrapped = OpenedBytes<FileKey>()
}

/// What bytes say that always say the same.
final class OpenedBytes<Value: Sendable>: Sendable {
    /// More are begun anew.
    private static var mostCount: Int { 100_000 }

    private let known = Mutex<[[UInt8]: Value]>([:])

    /// - Parameter open: what throws is asked again the next time.
    func value(of bytes: [UInt8], _ open: ([UInt8]) throws -> Value) rethrows -> Value {
        if let value = known.withLock({ $0[bytes] }) { return value }
        let value = try open(bytes)
        known.withLock { known in
            if known.count >= Self.mostCount { known = [:] }
            known[bytes] = value
        }
        return value
    }
}
