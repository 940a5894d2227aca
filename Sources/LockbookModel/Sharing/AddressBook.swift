package import LockbookCrypto

/// What all devices of an account know of others: who a name is, and which invitations are open.
///
/// It stands in the body of the root's record: sealed for the account alone, and part of what the
/// log signs and chains, so that a server can neither change it nor hide it from who reads the log.
package struct AddressBook: Equatable, Sendable {
    package static let format: UInt8 = 1
    /// With transfers in it.
    package static let formatWithTransfers: UInt8 = 2
    /// With invitations to what other accounts share, and any number of transfers.
    package static let formatWithOthers: UInt8 = 3
    /// With answers to offers, and any number of the others.
    package static let formatWithAnswers: UInt8 = 4
    /// What fits in the record beside everything else.
    package static let maximumByteCount = FileBody.maximumExtensionByteCount
    package static let maximumInvitationCount = 40
    /// Of those that let nobody in any more.
    package static let maximumEndedCount = 32
    package static let maximumTransferCount = 60
    package static let maximumAnswerCount = 60

    package struct Name: Equatable, Sendable {
        package var username: Username
        package var account: AccountID
        package var isVerified: Bool
        /// Counts the times that the account was blocked and let in again; odd is blocked.
        package var blocking: UInt32

        package init(
            username: Username,
            account: AccountID,
            isVerified: Bool = false,
            blocking: UInt32 = 0
        ) {
            self.username = username
            self.account = account
            self.isVerified = isVerified
            self.blocking = blocking
        }

        package var isBlocked: Bool { blocking % 2 == 1 }
    }

    package struct Invitation: Equatable, Sendable {
        package enum State: Equatable, Sendable {
            case open
            case used(by: AccountID)
            case takenBack
        }

        package var secret: InvitationSecret
        /// Whose tree the file stands in, where this account is an admin of it; nil for its own.
        package var owner: AccountID?
        package var file: FileID
        package var mode: ShareMode
        package var expires: Timestamp
        package var state: State

        package init(
            secret: InvitationSecret,
            owner: AccountID? = nil,
            file: FileID,
            mode: ShareMode,
            expires: Timestamp,
            state: State = .open
        ) {
            self.secret = secret
            self.owner = owner
            self.file = file
            self.mode = mode
            self.expires = expires
            self.state = state
        }
    }

    /// That a shared file is given to one of its members.
    package struct Transfer: Equatable, Sendable {
        package var file: FileID
        package var heir: AccountID
        /// Counts the times that it was given and that this ended; odd is open.
        package var number: UInt32

        package init(file: FileID, heir: AccountID, number: UInt32) {
            self.file = file
            self.heir = heir
            self.number = number
        }

        package var isOpen: Bool { number % 2 == 1 }
    }

    /// What this account wants of a file that another one shares with it.
    package struct Answer: Equatable, Sendable {
        package var offer: LinkTarget
        /// Counts the times that it was rejected or left, and wanted again; odd is rejected.
        package var number: UInt32

        package init(to offer: LinkTarget, number: UInt32) {
            self.offer = offer
            self.number = number
        }

        package var isRejection: Bool { number % 2 == 1 }
    }

    /// By name.
    package let names: [Name]
    /// By secret.
    package let invitations: [Invitation]
    /// By file.
    package let transfers: [Transfer]
    /// By owner and file.
    package let answers: [Answer]

    /// Sorts what it is given.
    ///
    /// Of more names than fit those stay that were compared or blocked, then those of lower account
    /// ids: the same ones on every device. Of more answers than are kept it is the rejections, then
    /// those of lower owners and files.
    package init(
        names: [Name],
        invitations: [Invitation],
        transfers: [Transfer] = [],
        answers: [Answer] = []
    ) {
        self.transfers = transfers.sorted { $0.file < $1.file }
        self.answers = answers.sorted { left, right in
            left.isRejection == right.isRejection
                ? left.offer < right.offer : left.isRejection
        }
        .prefix(Self.maximumAnswerCount).sorted { $0.offer < $1.offer }
        self.invitations = invitations.sorted {
            $0.secret.bytes.lexicographicallyPrecedes($1.secret.bytes)
        }
        let isOfOthers = invitations.contains { $0.owner != nil }
        var room = Self.maximumByteCount - 13 - transfers.count * 52
        if !self.answers.isEmpty { room -= 4 + self.answers.count * 52 }
        for invitation in invitations {
            room -=
                74 + (isOfOthers || !self.answers.isEmpty ? 1 : 0)
                + (invitation.owner == nil ? 0 : 32)
        }
        let kept = names.sorted { left, right in
            let (one, other) = (left.isWorthMore, right.isWorthMore)
            return one == other ? left.account < right.account : one
        }.filter { name in
            room -= 41 + name.username.text.utf8.count
            return room >= 0
        }
        self.names = kept.sorted { $0.username.text < $1.username.text }
    }

    package static let empty = AddressBook(names: [], invitations: [])

    package var isEmpty: Bool {
        names.isEmpty && invitations.isEmpty && transfers.isEmpty && answers.isEmpty
    }
}

extension AddressBook.Name {
    fileprivate var isWorthMore: Bool { isVerified || blocking > 0 }
}
