package import LockbookCrypto

/// What all devices of an account know of others: who a name is, and which invitations are open.
///
/// It stands in the body of the root's record: sealed for the account alone, and part of what the
/// log signs and chains, so that a server can neither change it nor hide it from who reads the log.
package struct AddressBook: Equatable, Sendable {
    package static let format: UInt8 = 1
    /// With transfers in it.
    package static let formatWithTransfers: UInt8 = 2
    /// What fits in the record beside everything else.
    package static let maximumByteCount = 15_000
    package static let maximumInvitationCount = 40
    package static let maximumTransferCount = 60

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
        package var file: FileID
        package var mode: ShareMode
        package var expires: Timestamp
        package var state: State

        package init(
            secret: InvitationSecret,
            file: FileID,
            mode: ShareMode,
            expires: Timestamp,
            state: State = .open
        ) {
            self.secret = secret
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

    /// By name.
    package let names: [Name]
    /// By secret.
    package let invitations: [Invitation]
    /// By file.
    package let transfers: [Transfer]

    /// Sorts what it is given.
    ///
    /// Of more names than fit those stay that were compared or blocked, then those of lower account
    /// ids: the same ones on every device.
    package init(names: [Name], invitations: [Invitation], transfers: [Transfer] = []) {
        self.transfers = transfers.sorted { $0.file < $1.file }
        self.invitations = invitations.sorted {
            $0.secret.bytes.lexicographicallyPrecedes($1.secret.bytes)
        }
        var room = Self.maximumByteCount - 13 - invitations.count * 74 - transfers.count * 52
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

    package var isEmpty: Bool { names.isEmpty && invitations.isEmpty && transfers.isEmpty }

    package var bytes: [UInt8] {
        var encoder = CanonicalEncoder(reserving: 1_024)
        encoder.append(transfers.isEmpty ? Self.format : Self.formatWithTransfers)
        encoder.append(UInt32(names.count))
        for name in names {
            encoder.append(counted: name.username.text.utf8)
            encoder.append(name.account.hash)
            encoder.append(name.isVerified)
            encoder.append(name.blocking)
        }
        encoder.append(UInt32(invitations.count))
        for invitation in invitations {
            encoder.append(fixed: invitation.secret.bytes)
            encoder.append(fixed: invitation.file.bytes)
            encoder.append(invitation.mode.rawValue)
            encoder.append(invitation.expires.milliseconds)
            switch invitation.state {
            case .open: encoder.append(UInt8(0))
            case .used(let account):
                encoder.append(UInt8(1))
                encoder.append(account.hash)
            case .takenBack: encoder.append(UInt8(2))
            }
        }
        guard !transfers.isEmpty else { return encoder.bytes }
        encoder.append(UInt32(transfers.count))
        for transfer in transfers {
            encoder.append(fixed: transfer.file.bytes)
            encoder.append(transfer.heir.hash)
            encoder.append(transfer.number)
        }
        return encoder.bytes
    }

    package init(_ bytes: [UInt8]) throws(DecodingFailure) {
        var decoder = CanonicalDecoder(bytes)
        let hasTransfers = bytes.first == Self.formatWithTransfers
        try decoder.format(known: hasTransfers ? Self.formatWithTransfers : Self.format)
        var names: [Name] = []
        for _ in 0..<(try decoder.count(itemsOfAtLeast: 42)) {
            guard
                let username = String(validating: try decoder.counted(), as: UTF8.self)
                    .flatMap({ Username($0) })
            else { throw .invalid(field: "username") }
            let name = Name(
                username: username,
                account: AccountID(hash: try decoder.hash()),
                isVerified: try decoder.bool("verified"),
                blocking: try decoder.uint32()
            )
            if let last = names.last, last.username.text >= username.text {
                throw .invalid(field: "names")
            }
            names.append(name)
        }
        var invitations: [Invitation] = []
        for _ in 0..<(try decoder.count(itemsOfAtLeast: 42)) {
            let invitation = try Self.invitation(&decoder)
            if let last = invitations.last,
                !last.secret.bytes.lexicographicallyPrecedes(invitation.secret.bytes)
            {
                throw .invalid(field: "invitations")
            }
            invitations.append(invitation)
        }
        let transfers = hasTransfers ? try Self.transfers(&decoder) : []
        try decoder.finish()
        self.names = names
        self.invitations = invitations
        self.transfers = transfers
    }

    private static func transfers(_ decoder: inout CanonicalDecoder) throws(DecodingFailure)
        -> [Transfer]
    {
        var transfers: [Transfer] = []
        for _ in 0..<(try decoder.count(itemsOfAtLeast: 52)) {
            let transfer = Transfer(
                file: FileID(exactly: try decoder.fixed(16)),
                heir: AccountID(hash: try decoder.hash()),
                number: try decoder.uint32()
            )
            if let last = transfers.last, last.file >= transfer.file {
                throw .invalid(field: "transfers")
            }
            transfers.append(transfer)
        }
        // Without any it is of the other format.
        guard !transfers.isEmpty else { throw .invalid(field: "transfers") }
        return transfers
    }

    private static func invitation(_ decoder: inout CanonicalDecoder) throws(DecodingFailure)
        -> Invitation
    {
        guard let secret = InvitationSecret(try decoder.fixed(InvitationSecret.byteCount)) else {
            throw .invalid(field: "secret")
        }
        let file = FileID(exactly: try decoder.fixed(16))
        guard let mode = ShareMode(rawValue: try decoder.byte()), mode > .none else {
            throw .invalid(field: "mode")
        }
        let expires = Timestamp(milliseconds: try decoder.int64())
        let state: Invitation.State
        switch try decoder.byte() {
        case 0: state = .open
        case 1: state = .used(by: AccountID(hash: try decoder.hash()))
        case 2: state = .takenBack
        default: throw .invalid(field: "state")
        }
        return Invitation(secret: secret, file: file, mode: mode, expires: expires, state: state)
    }
}

extension AddressBook.Name {
    fileprivate var isWorthMore: Bool { isVerified || blocking > 0 }
}
