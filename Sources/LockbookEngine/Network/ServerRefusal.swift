import LockbookAPI
import LockbookModel

/// What the server will not do, where whoever asked can go on without it.
protocol ServerRefusal: Error {
    /// For people to read.
    var reason: String { get }
}

/// A change that the server will not have, for which it names a file.
struct RefusedChange: ServerRefusal {
    let file: FileID
    let reason: String
    /// Whether it is this device that cannot read its content.
    var isUnreadable = false
}

/// The server does not let a file be shared with somebody.
struct RefusedGrantee: ServerRefusal {
    enum Cause {
        /// The server knows no such account.
        case unknown
        /// It is not to be offered to that account, which blocks it, is deleted, or has too many.
        case unwanted
        case other
    }

    let file: FileID
    let account: AccountID
    let cause: Cause
    let reason: String
}

extension RefusedGrantee.Cause {
    init(_ code: Lockbook_V1_ErrorResponse.Code) {
        switch code {
        case .notFound: self = .unknown
        case .notPermitted, .tooLarge: self = .unwanted
        default: self = .other
        }
    }
}

/// That the server does not know an account, or not any more, of which it was asked or told something.
struct OtherAccountUnknown: ServerRefusal {
    let reason: String
}

/// That the server does not have a large content, or not any more.
struct UnknownContent: ServerRefusal {
    let reason: String
}

/// That a log that was asked for is none that this account may read, or ever might.
///
/// Who was let into it once is told of his end: the server knows nothing of that.
struct UnreadableLog: ServerRefusal {
    let reason: String
}

/// That somebody of whom something was asked or said has deleted his account.
///
/// Whoever asked compares: the server may show the end of anybody.
struct OtherAccountEnded: Error {
    var account: AccountID
}

extension Error {
    /// Why the server will not have something, where it is that.
    var refusal: String? {
        if let refusal = self as? any ServerRefusal { return refusal.reason }
        if let error = self as? LockbookError, case .refused(let reason) = error { return reason }
        return nil
    }
}
