import LockbookCrypto
import LockbookModel

extension Sync {
    /// Whether the server does not give a content, or not any more.
    static func isMissing(_ error: any Error) -> Bool {
        error is MissingContent || error.refusal != nil
    }

    /// Failures below the engine's own, as the engine tells them.
    static func failure(_ error: any Error) -> any Error {
        switch error {
        case DecodingFailure.unknownFormat:
            LockbookError.updateNeeded(what: "the server has entries of a newer format")
        case let error as DecodingFailure:
            LockbookError.integrity(reason: "the server sent something malformed: \(error.words)")
        case let error as VerificationFailure:
            LockbookError.integrity(reason: error.words)
        case is PublicKeyFailure:
            LockbookError.integrity(reason: "the server sent an unsafe public key")
        case let error as Violation:
            LockbookError.integrity(reason: "the server's tree breaks its rules: \(error.words)")
        case is UnsettledMerge:
            LockbookError.integrity(
                reason: "its changes do not become one tree with those of this device"
            )
        case DamagedRecord.newerFormat:
            LockbookError.updateNeeded(what: "a note was written by a newer program")
        case is DamagedRecord:
            LockbookError.store(reason: "a file does not open with the key that is known of it")
        case let missing as MissingContent: missing.failure
        case is OtherAccountEnded:
            LockbookError.integrity(reason: "the server answers for another account")
        case let other as OtherContent: other.failure
        case let refusal as any ServerRefusal: LockbookError.refused(reason: refusal.reason)
        case let failure as DiskFailure:
            LockbookError.io(path: failure.path, reason: failure.reason)
        default: error
        }
    }
}
