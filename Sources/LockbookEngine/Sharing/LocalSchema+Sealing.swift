import FoundationEssentials
import GRDB
import LockbookCrypto
import LockbookModel

extension LocalSchema {
    /// The tables are made anew: of one that is dropped every page is written over.
    static let sealedInvitations = """
        -- The secret is sealed for this device; `name` is by what the server knows the invitation. A program
        -- of before that is still running fails where it asks for `secret`: it would take every invitation
        -- for one that is no more, and tell that to all devices.
        CREATE TABLE sealed_invitation (
            name BLOB PRIMARY KEY NOT NULL,
            sealed BLOB NOT NULL,
            file BLOB NOT NULL,
            mode INTEGER NOT NULL,
            expires INTEGER NOT NULL,
            state INTEGER NOT NULL DEFAULT 0,
            account BLOB,
            agreed INTEGER NOT NULL DEFAULT 0,
            told INTEGER NOT NULL DEFAULT 0,
            owner BLOB,
            owed INTEGER
        ) WITHOUT ROWID;
        INSERT OR IGNORE INTO sealed_invitation
            SELECT invitation_name(secret), sealed_secret(secret), file, mode, expires, state,
                account, agreed, told, owner, owed
            FROM invitation;
        DROP TABLE invitation;
        ALTER TABLE sealed_invitation RENAME TO invitation;

        -- `destination` is sealed for this device.
        CREATE TABLE sealed_awaited (
            file BLOB PRIMARY KEY NOT NULL,
            owner BLOB NOT NULL,
            expires INTEGER NOT NULL,
            destination BLOB,
            inviter BLOB,
            claim BLOB,
            mode INTEGER
        ) WITHOUT ROWID;
        INSERT INTO sealed_awaited
            SELECT file, owner, expires, sealed_destination(destination, file), inviter, claim, mode
            FROM awaited;
        DROP TABLE awaited;
        ALTER TABLE sealed_awaited RENAME TO awaited;
        """

    /// What migrations call to seal a column; NULL for what is none of its kind.
    static func sealing(_ keys: InvitationKeys, _ random: RandomSource)
        -> [DatabaseFunction]
    {
        [
            DatabaseFunction("invitation_name", argumentCount: 1) { values in
                guard let secret = Self.secret(values[0]) else { return nil }
                return secret.name.data
            },
            DatabaseFunction("sealed_secret", argumentCount: 1) { values in
                guard let secret = Self.secret(values[0]) else { return nil }
                return try keys.seal(secret, random: random).data
            },
            DatabaseFunction("sealed_destination", argumentCount: 2) { values in
                guard let destination = String.fromDatabaseValue(values[0]),
                    let file = Data.fromDatabaseValue(values[1]).flatMap({ FileID(Array($0)) })
                else { return nil }
                return try keys.seal(destination: destination, of: file, random: random).data
            },
        ]
    }

    private static func secret(_ value: DatabaseValue) -> InvitationSecret? {
        Data.fromDatabaseValue(value).flatMap { InvitationSecret($0) }
    }
}
