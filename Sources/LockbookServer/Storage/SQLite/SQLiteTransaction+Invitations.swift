import FoundationEssentials
import GRDB
import LockbookCrypto
import LockbookModel

extension SQLiteStore {
    static let invitations = """
        CREATE TABLE invitation (
            owner INTEGER NOT NULL REFERENCES account (id),
            id BLOB NOT NULL,
            expires INTEGER NOT NULL,
            state INTEGER NOT NULL,
            claimant BLOB,
            claim BLOB NOT NULL,
            PRIMARY KEY (owner, id)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX invitation_expires ON invitation (expires);

        -- 1 for known, 2 for blocked.
        CREATE TABLE acquaintance (
            account INTEGER NOT NULL REFERENCES account (id),
            other BLOB NOT NULL,
            state INTEGER NOT NULL,
            PRIMARY KEY (account, other)
        ) STRICT, WITHOUT ROWID;
        -- Who shared before this was asked counts as known.
        INSERT INTO acquaintance (account, other, state)
            SELECT DISTINCT grantee.id, owner.account, 1 FROM share_grant
            JOIN account AS grantee ON grantee.account = share_grant.grantee
            JOIN account AS owner ON owner.id = share_grant.log;
        """
}

extension SQLiteTransaction {
    func invitation(_ id: FileID, of owner: AccountKey) throws -> StoredInvitation? {
        let find = try statement(
            "SELECT expires, state, claimant, claim FROM invitation WHERE owner = ? AND id = ?"
        )
        return try Row.fetchOne(find, arguments: [owner.row, id.data]).map { row in
            guard let state = StoredInvitation.State(rawValue: row[1]) else {
                throw StoreFailure.damaged
            }
            return StoredInvitation(
                id: id,
                expires: row[0],
                state: state,
                claim: Array(row[3] as Data),
                claimant: try (row[2] as Data?).map { AccountID(hash: try Hash256(column: $0)) }
            )
        }
    }

    func openInvitationCount(of owner: AccountKey, at time: Int64) throws -> Int {
        let count = try statement(
            "SELECT count(*) FROM invitation WHERE owner = ? AND state = 0 AND expires > ?"
        )
        return try Int.fetchOne(count, arguments: [owner.row, time]) ?? 0
    }

    func claims(to owner: AccountKey) throws -> [[UInt8]] {
        let find = try statement(
            """
            SELECT claim FROM invitation
            WHERE owner = ? AND state = 0 AND claimant IS NOT NULL ORDER BY id
            """
        )
        return try Data.fetchAll(find, arguments: [owner.row]).map { Array($0) }
    }

    func put(_ invitation: StoredInvitation, of owner: AccountKey) throws {
        try statement(
            """
            INSERT OR REPLACE INTO invitation (owner, id, expires, state, claimant, claim)
            VALUES (?, ?, ?, ?, ?, ?)
            """
        ).execute(arguments: [
            owner.row, invitation.id.data, invitation.expires, invitation.state.rawValue,
            invitation.claimant?.hash.data, Data(invitation.claim),
        ])
    }

    func deleteInvitations(expiredBefore time: Int64) throws {
        try statement("DELETE FROM invitation WHERE expires < ?").execute(arguments: [time])
    }

    func deleteEndedInvitations(of owner: AccountKey, at time: Int64, keeping count: Int) throws {
        try statement(
            """
            DELETE FROM invitation WHERE owner = ?1 AND id IN (
                SELECT id FROM invitation WHERE owner = ?1 AND (state <> 0 OR expires <= ?2)
                ORDER BY expires DESC, id LIMIT -1 OFFSET ?3)
            """
        ).execute(arguments: [owner.row, time, count])
    }

    func acquaintance(of account: AccountKey, with other: AccountID) throws -> Acquaintance {
        let find = try statement("SELECT state FROM acquaintance WHERE account = ? AND other = ?")
        return try Int.fetchOne(find, arguments: [account.row, other.hash.data])
            .flatMap { Acquaintance(rawValue: $0) } ?? .unknown
    }

    func set(_ acquaintance: Acquaintance, of account: AccountKey, with other: AccountID) throws {
        guard acquaintance != .unknown else {
            try statement("DELETE FROM acquaintance WHERE account = ? AND other = ?")
                .execute(arguments: [account.row, other.hash.data])
            return
        }
        try statement(
            "INSERT OR REPLACE INTO acquaintance (account, other, state) VALUES (?, ?, ?)"
        ).execute(arguments: [account.row, other.hash.data, acquaintance.rawValue])
    }

    func strangerCount(sharingWith account: AccountID) throws -> Int {
        try strangerCount(of: "log", by: "offered", where: "grantee = ?", [account.hash.data])
    }

    func strangerCount(in log: AccountKey) throws -> Int {
        try strangerCount(of: "grantee", by: "held", where: "log = ?", [log.row])
    }

    /// How many stand at one end of grants whose grantee does not know whose the log is.
    private func strangerCount(
        of end: StaticString,
        by index: StaticString,
        where condition: StaticString,
        _ arguments: StatementArguments
    ) throws -> Int {
        let count = try database.cachedStatement(
            sql: """
                SELECT count(DISTINCT \(end)) FROM share_grant INDEXED BY share_grant_\(index)
                JOIN live_account AS owner ON owner.id = share_grant.log
                JOIN live_account AS grantee ON grantee.account = share_grant.grantee
                WHERE \(condition) AND superseded IS NULL AND mode > 0 AND NOT EXISTS (
                    SELECT 1 FROM acquaintance AS known
                    WHERE known.account = grantee.id AND known.other = owner.account)
                """
        )
        return try Int.fetchOne(count, arguments: arguments) ?? 0
    }
}
