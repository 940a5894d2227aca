package import LockbookCrypto

/// The address book as it stands in the root's record (docs/FORMAT.md, 12b).
extension AddressBook {
    /// The lowest that has room for what is in it.
    private var format: UInt8 {
        if !answers.isEmpty { return Self.formatWithAnswers }
        if invitations.contains(where: { $0.owner != nil }) { return Self.formatWithOthers }
        return transfers.isEmpty ? Self.format : Self.formatWithTransfers
    }

    package var bytes: [UInt8] {
        var encoder = CanonicalEncoder(reserving: 1_024)
        let format = format
        encoder.append(format)
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
            if format >= Self.formatWithOthers {
                encoder.append(invitation.owner != nil)
                if let owner = invitation.owner { encoder.append(owner.hash) }
            }
            switch invitation.state {
            case .open: encoder.append(UInt8(0))
            case .used(let account):
                encoder.append(UInt8(1))
                encoder.append(account.hash)
            case .takenBack: encoder.append(UInt8(2))
            }
        }
        guard format > Self.format else { return encoder.bytes }
        encoder.append(UInt32(transfers.count))
        for transfer in transfers {
            encoder.append(fixed: transfer.file.bytes)
            encoder.append(transfer.heir.hash)
            encoder.append(transfer.number)
        }
        guard format >= Self.formatWithAnswers else { return encoder.bytes }
        encoder.append(UInt32(answers.count))
        for answer in answers {
            encoder.append(answer.offer.owner.hash)
            encoder.append(fixed: answer.offer.file.bytes)
            encoder.append(answer.number)
        }
        return encoder.bytes
    }

    package init(_ bytes: [UInt8]) throws(DecodingFailure) {
        var decoder = CanonicalDecoder(bytes)
        let format = try decoder.format(knownUpTo: Self.formatWithAnswers)
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
            let invitation = try Self.invitation(&decoder, of: format)
            if let last = invitations.last,
                !last.secret.bytes.lexicographicallyPrecedes(invitation.secret.bytes)
            {
                throw .invalid(field: "invitations")
            }
            invitations.append(invitation)
        }
        let transfers = format > Self.format ? try Self.transfers(&decoder) : []
        let answers = format >= Self.formatWithAnswers ? try Self.answers(&decoder) : []
        try decoder.finish()
        self.names = names
        self.invitations = invitations
        self.transfers = transfers
        self.answers = answers
        // One format for one book.
        guard format == self.format else { throw .invalid(field: "format") }
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
        return transfers
    }

    private static func answers(_ decoder: inout CanonicalDecoder) throws(DecodingFailure)
        -> [Answer]
    {
        var answers: [Answer] = []
        for _ in 0..<(try decoder.count(itemsOfAtLeast: 52)) {
            let owner = AccountID(hash: try decoder.hash())
            let file = FileID(exactly: try decoder.fixed(16))
            let answer = Answer(
                to: LinkTarget(owner: owner, file: file),
                number: try decoder.uint32()
            )
            if let last = answers.last, last.offer >= answer.offer {
                throw .invalid(field: "answers")
            }
            answers.append(answer)
        }
        return answers
    }

    private static func invitation(_ decoder: inout CanonicalDecoder, of format: UInt8)
        throws(DecodingFailure) -> Invitation
    {
        guard let secret = InvitationSecret(try decoder.fixed(InvitationSecret.byteCount)) else {
            throw .invalid(field: "secret")
        }
        let file = FileID(exactly: try decoder.fixed(16))
        guard let mode = ShareMode(rawValue: try decoder.byte()), mode > .none else {
            throw .invalid(field: "mode")
        }
        let expires = Timestamp(milliseconds: try decoder.int64())
        var owner: AccountID?
        if format >= formatWithOthers, try decoder.bool("owner") {
            owner = AccountID(hash: try decoder.hash())
            // Only the owner makes admins.
            guard mode < .admin else { throw .invalid(field: "mode") }
        }
        let state: Invitation.State
        switch try decoder.byte() {
        case 0: state = .open
        case 1: state = .used(by: AccountID(hash: try decoder.hash()))
        case 2: state = .takenBack
        default: throw .invalid(field: "state")
        }
        return Invitation(
            secret: secret,
            owner: owner,
            file: file,
            mode: mode,
            expires: expires,
            state: state
        )
    }
}
