import LockbookCrypto
import LockbookModel

extension LockbookError {
    /// Whether nothing else can be asked of the server either.
    var isOfConnection: Bool {
        switch self {
        case .offline, .unavailable, .notALockbookServer, .untrustedServer, .unknownAccount,
            .accountDeleted, .serverUpdateNeeded:
            true
        default: false
        }
    }
}

/// What is wrong with one account's log, and keeps no other one from being synced.
extension Sync {
    /// What is wrong with what others share, or with what this device has of it, keeps nothing else
    /// from being synced: it is told of at the end.
    /// - Parameter index: whose it is.
    mutating func keepingApart(
        _ index: Int? = nil,
        _ body: (inout Sync) async throws -> Void
    ) async throws {
        do { try await body(&self) } catch let error as LockbookError where error.isOfConnection {
            throw error
        } catch {
            guard let index else { return failures.add(error) }
            leave(index, after: error)
        }
    }

    /// Passes by another account's log for the rest of this sync, which fails of it in the end.
    mutating func leave(_ index: Int, after error: any Error) {
        others[index].isBroken = true
        add(error, of: others[index].store)
    }

    /// Keeps for the end what is wrong with another account's log.
    mutating func add(_ error: any Error, of shared: LocalStore) {
        failures.add(told(error, of: shared), of: .log(shared.context.owner))
    }

    /// Whether that is wrong which somebody signed, or a server made of it.
    private static func isUnsound(_ error: any Error) -> Bool {
        switch error {
        case DecodingFailure.unknownFormat: false
        case is DecodingFailure, is VerificationFailure, is PublicKeyFailure, is Violation: true
        default: false
        }
    }

    /// What is signed as nothing may be, a refusal, a rollback or a stop says whose log it is about, where
    /// that is another account's.
    ///
    /// Of a log that this device has entries of, it is a server from before these: it would tell how
    /// a right ended.
    private func named(_ error: any Error, of shared: LocalStore) -> any Error {
        let name = try? store.read { try $0.username(of: shared.context.owner) }
        if error is UnreadableLog, let known = try? shared.read({ try $0.head() }) {
            return LockbookError.rolledBack(known: known.position, shown: 0, sharer: name)
        }
        if case LockbookError.rolledBack(let known, let shown, _) = error {
            return LockbookError.rolledBack(known: known, shown: shown, sharer: name)
        }
        if case LockbookError.stopped(var stop) = error {
            stop.sharer = name
            return LockbookError.stopped(stop)
        }
        if Self.isUnsound(error),
            case LockbookError.integrity(let reason, _) = Self.failure(error)
        {
            return LockbookError.integrity(reason: reason, sharer: name)
        }
        guard let reason = error.refusal, let name else { return error }
        return LockbookError.refused(reason: "of what \(name) shares with you: \(reason)")
    }

    /// What is wrong in another account's log, by its name and the paths that this account has: those that
    /// the log has, where the store of either does not tell.
    private func told(_ error: any Error, of shared: LocalStore) -> any Error {
        let error = named(error, of: shared)
        return (try? own(error, of: shared)) ?? error
    }

    private func own(_ error: any Error, of shared: LocalStore) throws -> any Error {
        let links = try store.read { try $0.links(to: shared.context.owner) }
        let places = try shared.read { try LinkedPlaces(links, in: $0) }
        switch error {
        case let error as LockbookError: return error.renamed(places.own)
        case var content as OtherContent:
            content.path = content.path.map(places.own)
            return content
        default: return error
        }
    }
}
