extension LocalSchema {
    static let shares = """
        -- Accounts whose keys are known: those of the first meeting hold.
        CREATE TABLE contact (
            account BLOB PRIMARY KEY NOT NULL,
            username TEXT NOT NULL UNIQUE,
            certificate BLOB NOT NULL,
            verified INTEGER
        ) WITHOUT ROWID;

        -- Accounts that share something with this one, whose logs are read too.
        CREATE TABLE followed (
            owner BLOB PRIMARY KEY NOT NULL
        ) WITHOUT ROWID;

        -- The grants that hold in this tree, those that take one back too.
        CREATE TABLE share_grant (
            file BLOB NOT NULL,
            grantee BLOB NOT NULL,
            bytes BLOB NOT NULL,
            PRIMARY KEY (file, grantee)
        ) WITHOUT ROWID;

        -- Keys of shared files, as they were wrapped for this account.
        CREATE TABLE share_wrap (
            file BLOB NOT NULL,
            epoch INTEGER NOT NULL,
            bytes BLOB NOT NULL,
            PRIMARY KEY (file, epoch)
        ) WITHOUT ROWID;

        -- What commands here want of shares, until a push takes it along.
        CREATE TABLE share_wish (
            file BLOB NOT NULL,
            grantee BLOB NOT NULL,
            mode INTEGER NOT NULL,
            PRIMARY KEY (file, grantee)
        ) WITHOUT ROWID;

        -- Shares of this tree that are not to be shown any more.
        CREATE TABLE share_rejected (
            file BLOB PRIMARY KEY NOT NULL
        ) WITHOUT ROWID;
        """

    static let changedModes = """
        -- Whether a wish is another mode for who holds one: it lets nobody in.
        ALTER TABLE share_wish ADD COLUMN changes INTEGER NOT NULL DEFAULT 0;
        """

    static let settlingWishes = """
        -- In `changes`, 2 is a wish of a transfer that was accepted, and 1 what that column says. Where
        -- the new owner was to lose the share, all wishes to take it back are that transfer's.
        UPDATE share_wish SET changes = 2 WHERE mode = 0 AND file IN (
            SELECT transfer.file FROM transfer JOIN share_wish AS heirs
                ON heirs.file = transfer.file AND heirs.grantee = transfer.heir
            WHERE transfer.number % 2 = 1 AND heirs.mode = 0
        );
        """

    static let nestedShares = """
        -- Shared files around others, of which this account sees no more than who may write there.
        CREATE TABLE share_told (
            scope BLOB NOT NULL,
            outer BLOB NOT NULL,
            PRIMARY KEY (scope, outer)
        ) WITHOUT ROWID;
        """
}
