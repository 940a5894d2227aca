import FoundationEssentials
import GRDB
import LockbookCrypto
import LockbookModel

/// Invitations of others that were used on this device.
extension LocalTree {
    struct Awaited {
        let file: FileID
        let owner: AccountID
        /// Whose next sync lets this account in: the owner, or an admin.
        let inviter: AccountID
        let expires: Timestamp
        /// What the code promises; nil when it was an older program that used it.
        let mode: ShareMode?
        let destination: String?
        /// What was left at the server, which tells by it whether it can still be used; nil when it
        /// was an older program that did.
        let claim: [UInt8]?

        var isByAdmin: Bool { inviter != owner }
    }

    func awaited() throws -> [Awaited] {
        let keys = InvitationKeys(account.deviceKey)
        return try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT file, owner, coalesce(inviter, owner), expires, destination, claim, mode
                    FROM awaited ORDER BY file
                    """
            )
        ).compactMap { row in
            guard let file = FileID(row.bytes(0)), let owner = Hash256(row.bytes(1)),
                let inviter = Hash256(row.bytes(2))
            else { return nil }
            return Awaited(
                file: file,
                owner: AccountID(hash: owner),
                inviter: AccountID(hash: inviter),
                expires: Timestamp(milliseconds: row[3]),
                mode: (row[6] as Int?).flatMap { ShareMode(rawValue: UInt8(clamping: $0)) },
                destination: row.optionalBytes(4).flatMap { keys.destination($0, of: file) },
                claim: (row[5] as Data?).map { Array($0) }
            )
        }
    }

    /// Remembers where the link goes when what an invitation promised is there.
    func expect(_ awaited: Awaited) throws {
        let keys = InvitationKeys(account.deviceKey)
        let destination = try awaited.destination.map {
            try keys.seal(destination: $0, of: awaited.file, random: environment.random)
        }
        try db.execute(
            sql: """
                INSERT OR REPLACE INTO awaited
                    (file, owner, inviter, expires, mode, destination, claim)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                awaited.file.bytes.data, awaited.owner.hash.bytes.data,
                awaited.isByAdmin ? awaited.inviter.hash.bytes.data : nil,
                awaited.expires.milliseconds, awaited.mode.map { Int($0.rawValue) },
                destination?.data, awaited.claim?.data,
            ]
        )
    }

    func stopAwaiting(_ file: FileID) throws {
        try db.execute(sql: "DELETE FROM awaited WHERE file = ?", arguments: [file.bytes.data])
    }

    func info(_ awaited: Awaited) throws -> AwaitedShare {
        AwaitedShare(
            id: awaited.file.description,
            by: try username(of: awaited.inviter),
            owner: awaited.isByAdmin ? try name(of: awaited.owner) : nil,
            expires: awaited.expires.milliseconds
        )
    }

    /// What an account is called, as far as any device of this one met it; else its id.
    func name(of account: AccountID) throws -> String {
        try known(account)?.username.text ?? username(of: account)
    }
}
