/// The tables of the local store.
///
/// A migration is never edited once it was released, and its number never given again.
enum LocalSchema {
    /// In the order of their numbers; the highest one that was run is the store's version.
    static let migrations = [
        (1, first), (2, second), (3, imported), (10, purge), (11, version), (12, conflict),
        (13, command), (20, shares), (21, nestedShares), (22, book), (23, rewind),
        (24, transfers), (30, chunkKeys), (31, invitationsByAdmins), (32, keysOfReplaced),
        (33, answers), (34, claims), (35, jointCommands), (36, rewindTold),
        (37, rewindQuicker), (38, offered), (39, turns),
        (40, overruled), (41, rewindByStep), (42, keptKeys), (43, changedModes),
        (44, joinedFiles), (45, settlingWishes), (46, refusedEntries),
        (47, promisedModes), (48, linkIndex), (49, sealedInvitations),
        (50, keysOfVersions), (51, lastOffers),
    ]

    private static let first = """
        CREATE TABLE setting (
            key TEXT PRIMARY KEY NOT NULL,
            value BLOB NOT NULL
        ) WITHOUT ROWID;

        -- Every file this device knows. `base` is the record agreed with the server, `local` the
        -- one of a change that was not pushed; no `local` means identical to base. The columns
        -- in between are of the local tree.
        CREATE TABLE file (
            number INTEGER PRIMARY KEY,
            id BLOB NOT NULL UNIQUE,
            parent BLOB NOT NULL,
            tag BLOB NOT NULL,
            type INTEGER NOT NULL,
            deleted INTEGER NOT NULL,
            block INTEGER,
            damaged INTEGER NOT NULL DEFAULT 0,
            base BLOB,
            local BLOB
        );
        -- No two live siblings have one name.
        CREATE UNIQUE INDEX file_name ON file (parent, tag) WHERE deleted = 0;
        CREATE INDEX file_deleted ON file (parent) WHERE deleted = 1;
        CREATE INDEX file_changed ON file (number) WHERE local IS NOT NULL;

        -- Sealed blocks of what a listing shows, at most 256 children each.
        CREATE TABLE directory (
            folder BLOB NOT NULL,
            block INTEGER NOT NULL,
            sealed BLOB NOT NULL,
            PRIMARY KEY (folder, block)
        ) WITHOUT ROWID;

        -- Blobs that are here: small ones with their bytes, others as files of their name.
        CREATE TABLE blob (
            name BLOB NOT NULL UNIQUE,
            bytes BLOB
        );

        -- Documents whose content is on the server alone.
        CREATE TABLE absent (
            file BLOB PRIMARY KEY NOT NULL,
            blob BLOB NOT NULL,
            size INTEGER NOT NULL
        ) WITHOUT ROWID;
        CREATE INDEX absent_blob ON absent (blob);

        -- The exact entry that was last sent, until it is known to be in the log or not.
        CREATE TABLE pending (
            header BLOB NOT NULL,
            certificate BLOB,
            entry_group BLOB NOT NULL
        );
        -- Records of that entry whose files were changed here since.
        CREATE TABLE pushed (
            file BLOB PRIMARY KEY NOT NULL,
            record BLOB NOT NULL
        ) WITHOUT ROWID;

        -- What exports wrote, so that a later one knows its own files.
        CREATE TABLE exported (
            destination BLOB NOT NULL,
            path BLOB NOT NULL,
            sealed BLOB NOT NULL,
            PRIMARY KEY (destination, path)
        ) WITHOUT ROWID;
        """

    private static let second = """
        -- What commands here deleted and no push took along yet, with the time in milliseconds.
        CREATE TABLE deletion (
            file BLOB PRIMARY KEY NOT NULL,
            at INTEGER NOT NULL
        ) WITHOUT ROWID;
        """

    private static let imported = """
        -- What imports read from the disk, so that a later one need not read it again.
        CREATE TABLE imported (
            path BLOB PRIMARY KEY NOT NULL,
            sealed BLOB NOT NULL
        ) WITHOUT ROWID;
        """

    private static let purge = """
        -- Files that are deleted themselves, and since when this device knows it, in milliseconds
        -- by the server's clock and by its own.
        CREATE TABLE trash (
            file BLOB PRIMARY KEY NOT NULL,
            since INTEGER NOT NULL,
            here INTEGER NOT NULL
        ) WITHOUT ROWID;
        CREATE INDEX trash_since ON trash (since);
        INSERT INTO trash (file, since, here)
            SELECT id, CAST(strftime('%s', 'now') AS INTEGER) * 1000,
                CAST(strftime('%s', 'now') AS INTEGER) * 1000
            FROM file WHERE deleted = 1;

        -- Files that are to be gone for good: the next push says so.
        CREATE TABLE purge (
            file BLOB PRIMARY KEY NOT NULL
        ) WITHOUT ROWID;
        """

    private static let offered = """
        -- Whether the server may have been asked to append the entry: 0 while what it needs is sent
        -- ahead.
        ALTER TABLE pending ADD COLUMN offered INTEGER NOT NULL DEFAULT 1;
        """

    private static let refusedEntries = """
        -- Entries that the server refused to append to what was known of the log then.
        CREATE TABLE refused_entry (
            number INTEGER PRIMARY KEY,
            header BLOB NOT NULL,
            certificate BLOB,
            entry_group BLOB NOT NULL
        );
        -- Records of each of them whose files were changed here since.
        CREATE TABLE refused_record (
            entry INTEGER NOT NULL,
            file BLOB NOT NULL,
            record BLOB NOT NULL,
            PRIMARY KEY (entry, file)
        ) WITHOUT ROWID;
        """

    private static let version = """
        -- Records whose contents were replaced here before any server had them, and when.
        CREATE TABLE version (
            id INTEGER PRIMARY KEY,
            file BLOB NOT NULL,
            at INTEGER NOT NULL,
            blob BLOB NOT NULL,
            record BLOB NOT NULL
        );
        CREATE INDEX version_file ON version (file, id);
        CREATE INDEX version_blob ON version (blob);
        """

    private static let conflict = """
        -- What merges left to be decided, here or (kind 'arrived') elsewhere: what kind it is, the other
        -- file where there are two, whether this device was the one that deleted, and since when.
        CREATE TABLE conflict (
            file BLOB PRIMARY KEY NOT NULL,
            kind TEXT NOT NULL,
            other BLOB,
            mine INTEGER NOT NULL,
            at INTEGER NOT NULL
        ) WITHOUT ROWID;
        """

    /// Nothing changes at once: blocks of the directory are written in a form that older programs
    /// cannot read, whenever something in them changes.
    private static let chunkKeys = "SELECT 1;"

    private static let command = """
        -- The last commands here that changed something, when they were, how many files and bytes
        -- of replaced contents are kept for them, and why one cannot be taken back.
        CREATE TABLE command (
            id INTEGER PRIMARY KEY,
            at INTEGER NOT NULL,
            files INTEGER NOT NULL,
            bytes INTEGER NOT NULL,
            obstacle TEXT
        );
        -- The records that they replaced, and those that they put in their place. A file that was
        -- made has none before; `blob` is the content that went.
        CREATE TABLE replaced (
            command INTEGER NOT NULL,
            place INTEGER NOT NULL,
            file BLOB NOT NULL,
            before BLOB,
            after BLOB NOT NULL,
            blob BLOB,
            PRIMARY KEY (command, place)
        ) WITHOUT ROWID;
        CREATE INDEX replaced_file ON replaced (file);
        CREATE INDEX replaced_blob ON replaced (blob) WHERE blob IS NOT NULL;
        """

    private static let keysOfReplaced = """
        -- The file's key of the record that was put in place, sealed for this device: the records
        -- that would lead to it are gone after two more epochs.
        ALTER TABLE replaced ADD COLUMN key BLOB;
        """

    private static let keysOfVersions = """
        -- The file's key of that time, sealed for this device: the records that would lead to it are
        -- gone after two more epochs.
        ALTER TABLE version ADD COLUMN key BLOB;
        """

    private static let jointCommands = """
        -- Of a command that changed the trees of several accounts, what its parts have in common, and
        -- how many of them there are.
        ALTER TABLE command ADD COLUMN joint BLOB;
        ALTER TABLE command ADD COLUMN parts INTEGER;
        """

    private static let turns = """
        -- Which of the commands on this device it was, in the trees of all accounts: their times say
        -- nothing where a clock went back. 0 for those of before this column.
        ALTER TABLE command ADD COLUMN turn INTEGER NOT NULL DEFAULT 0;
        """

    private static let joinedFiles = """
        -- Files made here that a merge made one with another of the same name, which of them
        -- stayed, and the last command before that.
        CREATE TABLE joined (
            file BLOB PRIMARY KEY NOT NULL,
            other BLOB NOT NULL,
            command INTEGER NOT NULL
        ) WITHOUT ROWID;
        CREATE INDEX joined_other ON joined (other);
        CREATE INDEX joined_command ON joined (command);
        """

    private static let overruled = """
        -- What was agreed of a file before somebody signed nonsense over it.
        CREATE TABLE overruled (
            file BLOB PRIMARY KEY NOT NULL,
            record BLOB NOT NULL
        ) WITHOUT ROWID;
        """

    private static let linkIndex = """
        -- Links are few, and asked for in each sync.
        CREATE INDEX file_link ON file (id) WHERE type = 2;
        """

    private static let keptKeys = """
        -- The key that a damaged folder had before somebody signed nonsense over it, sealed for this
        -- device: what stands in it opens with it.
        CREATE TABLE kept_key (
            file BLOB PRIMARY KEY NOT NULL,
            epoch INTEGER NOT NULL,
            key BLOB NOT NULL
        ) WITHOUT ROWID;
        """
}
