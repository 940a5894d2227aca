package import LockbookModel

/// An invitation, of whose secret the server knows nothing.
package struct StoredInvitation: Sendable, Equatable {
    package enum State: Int, Sendable {
        case open = 0
        case used = 1
        case takenBack = 2
    }

    package var id: FileID
    /// Milliseconds since 1970, as the owner said.
    package var expires: Int64
    package var state: State
    /// What somebody left who uses it, and who; empty for nobody yet.
    package var claim: [UInt8]
    package var claimant: AccountID?
}

/// What one account said of another one.
package enum Acquaintance: Int, Sendable {
    case unknown = 0
    case known = 1
    case blocked = 2
}
