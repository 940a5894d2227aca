extension LocalSchema {
    static let book = """
        -- Who the names are that this account's devices met. `other` is set where this device met
        -- a name with other keys than the devices before it.
        CREATE TABLE known (
            username TEXT PRIMARY KEY NOT NULL,
            account BLOB NOT NULL,
            verified INTEGER NOT NULL DEFAULT 0,
            blocking INTEGER NOT NULL DEFAULT 0,
            other BLOB
        ) WITHOUT ROWID;
        INSERT INTO known (username, account, verified)
            SELECT username, account, verified IS NOT NULL FROM contact;

        -- Invitations of this account: 0 open, 1 used by an account, 2 taken back; whether the
        -- address book in the log has it, and whether the server knows how it ended.
        CREATE TABLE invitation (
            secret BLOB PRIMARY KEY NOT NULL,
            file BLOB NOT NULL,
            mode INTEGER NOT NULL,
            expires INTEGER NOT NULL,
            state INTEGER NOT NULL DEFAULT 0,
            account BLOB,
            agreed INTEGER NOT NULL DEFAULT 0,
            told INTEGER NOT NULL DEFAULT 0
        ) WITHOUT ROWID;

        -- Invitations of others that were accepted here: what is awaited, and where its link goes.
        CREATE TABLE awaited (
            file BLOB PRIMARY KEY NOT NULL,
            owner BLOB NOT NULL,
            expires INTEGER NOT NULL,
            destination TEXT
        ) WITHOUT ROWID;

        -- Accounts of which the server is yet to be told that they are known, or blocked.
        CREATE TABLE acquaintance (
            account BLOB PRIMARY KEY NOT NULL,
            state INTEGER NOT NULL
        ) WITHOUT ROWID;
        """

    static let invitationsByAdmins = """
        -- Whose tree an invitation is into, NULL for one's own; and where who used it is yet to be let
        -- in, the serial of the grant that he had when that was decided, 0 for none.
        ALTER TABLE invitation ADD COLUMN owner BLOB;
        ALTER TABLE invitation ADD COLUMN owed INTEGER;
        -- Who invited, NULL for the owner himself.
        ALTER TABLE awaited ADD COLUMN inviter BLOB;
        """

    static let answers = """
        -- How often what others offer was rejected or left, and wanted again: odd is rejected.
        CREATE TABLE answer (
            owner BLOB NOT NULL,
            file BLOB NOT NULL,
            number INTEGER NOT NULL,
            PRIMARY KEY (owner, file)
        ) WITHOUT ROWID;
        -- What one device alone knew of that.
        DROP TABLE share_rejected;
        """

    static let claims = """
        -- What was left at the server to use an invitation; NULL for those of before this column.
        ALTER TABLE awaited ADD COLUMN claim BLOB;
        """

    static let promisedModes = """
        -- What the invitation promises; NULL for those of before this column.
        ALTER TABLE awaited ADD COLUMN mode INTEGER;
        """
}
