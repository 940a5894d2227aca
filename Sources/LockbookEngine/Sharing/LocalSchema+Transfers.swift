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
}
