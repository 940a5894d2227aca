import LockbookCrypto
import LockbookModel

/// A sync that failed in a way that the next try does not mend by itself.
public struct FailedSync: Sendable, Equatable, Codable {
    /// When it ended: milliseconds since 1970.
    public var at: Int64
    /// Why, in words for a person.
    public var reason: String
}

extension Lockbook {
    /// Remembers why a sync failed, for `status`, until one comes through.
    public func noteFailedSync(_ reason: String) throws {
        try store.write { tree in
            try tree.rememberFailedSync(
                FailedSync(at: environment.now().milliseconds, reason: reason)
            )
        }
    }

    /// Forgets it; a sync with nothing to forget writes nothing.
    func forgetFailedSync() throws {
        guard try store.read({ try $0.setting(.failedSync) != nil }) else { return }
        try store.write { try $0.rememberFailedSync(nil) }
    }
}

extension LocalTree {
    func failedSync() throws -> FailedSync? { try sealed(.failedSync, for: Self.failedSync) }

    func rememberFailedSync(_ failed: FailedSync?) throws {
        try seal(failed, as: .failedSync, for: Self.failedSync)
    }

    private static let failedSync: StaticString = "failed sync"
}
