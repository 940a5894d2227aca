import FoundationEssentials
import GRDB
import LockbookCrypto
import LockbookModel

/// An invitation of this account, as this device knows it.
struct OwnInvitation {
    var entry: AddressBook.Invitation
    /// Whether the server was told how it ended.
    var isTold: Bool
    /// Where who used it is yet to be let in: the serial of the grant that he had when that was
    /// decided, 0 for none.
    var owedAfter: UInt64?

    /// 16 bytes, by which the server knows it.
    var name: [UInt8] { entry.secret.name }
}

extension LocalTree {
    /// Every invitation of this account that is not forgotten.
    func invitations() throws -> [OwnInvitation] {
        let keys = InvitationKeys(account.deviceKey)
        return try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT sealed, file, mode, expires, state, account, told, owner, owed, name
                    FROM invitation
                    ORDER BY expires, name
                    """
            )
        ).compactMap { row in
            guard let secret = keys.secret(row.bytes(0), of: row.bytes(9)),
                let file = FileID(row.bytes(1)),
                let mode = ShareMode(rawValue: UInt8(clamping: row[2] as Int))
            else { return nil }
            let state: AddressBook.Invitation.State
            switch row[4] as Int {
            case 0: state = .open
            case 1:
                guard let account = row.optionalBytes(5).flatMap({ Hash256($0) }) else {
                    return nil
                }
                state = .used(by: AccountID(hash: account))
            default: state = .takenBack
            }
            return OwnInvitation(
                entry: AddressBook.Invitation(
                    secret: secret,
                    owner: row.optionalBytes(7).flatMap { Hash256($0) }.map { AccountID(hash: $0) },
                    file: file,
                    mode: mode,
                    expires: Timestamp(milliseconds: row[3]),
                    state: state
                ),
                isTold: row[6],
                owedAfter: (row[8] as Int64?).map { UInt64(clamping: $0) }
            )
        }
    }

    /// Those that somebody can still use.
    func openInvitations() throws -> [OwnInvitation] {
        let now = environment.now()
        return try invitations().filter { $0.entry.state == .open && $0.entry.expires > now }
    }

    /// Those by which somebody is yet to be let in.
    func owedInvitations() throws -> [OwnInvitation] {
        try invitations().filter { $0.owedAfter != nil }
    }

    /// What the log is to have: all by which somebody may yet be let in, and some of the others.
    ///
    /// Those that would have lasted the longest stay. What is forgotten lets nobody in, as what was never made.
    func loggedInvitations() throws -> [AddressBook.Invitation] {
        let now = environment.now()
        func isOver(_ invitation: OwnInvitation) -> Bool {
            guard invitation.owedAfter == nil else { return false }
            return invitation.entry.state != .open || invitation.entry.expires <= now
        }
        // By rising end.
        let all = try invitations()
        let over = all.filter(isOver).suffix(AddressBook.maximumEndedCount)
        return (all.filter { !isOver($0) } + over).map(\.entry)
    }

    /// Puts an invitation down, also over a row of it that does not open.
    func insert(_ invitation: AddressBook.Invitation) throws {
        let secret = try InvitationKeys(account.deviceKey).seal(
            invitation.secret,
            random: environment.random
        )
        try db.execute(
            sql: """
                INSERT OR REPLACE INTO invitation (name, sealed, file, mode, expires, owner)
                VALUES (?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                invitation.secret.name.data, secret.data, invitation.file.bytes.data,
                Int(invitation.mode.rawValue), invitation.expires.milliseconds,
                invitation.owner?.hash.bytes.data,
            ]
        )
    }

    /// As if it had never been made.
    func forget(_ secret: InvitationSecret) throws {
        try db.execute(
            sql: "DELETE FROM invitation WHERE name = ?",
            arguments: [secret.name.data]
        )
    }

    /// - Parameter serial: of the grant that who used it has, 0 for none, where he is to be let in as soon
    ///   as the log has that he did; nil where he is not.
    func set(
        _ state: AddressBook.Invitation.State,
        of secret: InvitationSecret,
        owedAfter serial: UInt64? = nil
    ) throws {
        let (number, account): (Int, Data?) =
            switch state {
            case .open: (0, nil)
            case .used(let account): (1, account.hash.bytes.data)
            case .takenBack: (2, nil)
            }
        try db.execute(
            sql: "UPDATE invitation SET state = ?, account = ?, owed = ? WHERE name = ?",
            arguments: [
                number, account, serial.map { Int64(clamping: $0) }, secret.name.data,
            ]
        )
    }

    func markTold(_ secret: InvitationSecret) throws {
        try db.execute(
            sql: "UPDATE invitation SET told = 1 WHERE name = ?",
            arguments: [secret.name.data]
        )
    }

    /// Notes that a server that was put back has to be told again what it reads in no log.
    ///
    /// That is how invitations stand, and who is blocked.
    func tellAnew() throws {
        try set(.tellsAnew, to: [1])
        // What an older state of the log does not have was not swept out by another device.
        try db.execute(sql: "UPDATE invitation SET told = 0, agreed = 0")
        try db.execute(
            sql: """
                INSERT OR IGNORE INTO acquaintance (account, state)
                    SELECT account, ? FROM known WHERE blocking % 2 = 1
                """,
            arguments: [AcquaintanceNews.blocked.rawValue]
        )
    }

    /// Long after its end nobody asks what became of an invitation, unless somebody is yet to be let in by it.
    func sweepInvitations() throws {
        let longAgo = environment.now().milliseconds - 30 * 86_400_000
        try db.execute(
            sql: "DELETE FROM invitation WHERE expires < ? AND owed IS NULL",
            arguments: [longAgo]
        )
    }

    /// Takes the invitations that the log has: an end that is in the log stands, whatever this
    /// device was about to make of it, and nobody else is let in for the same one.
    func takeInvitations(of book: AddressBook) throws {
        let here = try invitations().map(\.entry)
        for invitation in book.invitations {
            let known = here.first { $0.secret == invitation.secret }
            if known == nil { try insert(invitation) }
            if invitation.state != .open, known?.state != invitation.state {
                try set(invitation.state, of: invitation.secret)
            }
        }
        // What another device has swept out is not to come back from here, but where somebody is yet to be
        // let in by it.
        let agreed = Set(book.invitations.map { $0.secret.name })
        let swept = try Row.fetchAll(
            db.cachedStatement(
                sql: "SELECT name FROM invitation WHERE agreed = 1 AND owed IS NULL"
            )
        )
        .map { $0.bytes(0) }.filter { !agreed.contains($0) }
        for name in swept {
            try db.execute(sql: "DELETE FROM invitation WHERE name = ?", arguments: [name.data])
        }
        for name in agreed {
            try db.execute(
                sql: "UPDATE invitation SET agreed = 1 WHERE name = ?",
                arguments: [name.data]
            )
        }
    }
}
