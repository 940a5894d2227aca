extension LocalSchema {
    static let transfers = """
        -- Shared files of this account that were given to a member; an odd number is open.
        CREATE TABLE transfer (
            file BLOB PRIMARY KEY NOT NULL,
            heir BLOB NOT NULL,
            number INTEGER NOT NULL
        ) WITHOUT ROWID;

        -- Links that went because what they led to was taken back. When somebody else continues it,
        -- a link to that takes their place.
        CREATE TABLE ended (
            file BLOB PRIMARY KEY NOT NULL,
            owner BLOB NOT NULL,
            link BLOB NOT NULL
        ) WITHOUT ROWID;
        """

    static let lastOffers = """
        -- Which offer to give it away stood in what was taken back; 0 for none.
        ALTER TABLE ended ADD COLUMN offer INTEGER NOT NULL DEFAULT 0;
        -- The same of what another account shared, from the page that took it away until that is settled:
        -- the record with the offer may have come in that page, which is not merged.
        CREATE TABLE last_offer (
            file BLOB PRIMARY KEY NOT NULL,
            number INTEGER NOT NULL
        ) WITHOUT ROWID;
        """
}
