import GRDB

extension SQLiteStore {
    /// Numbered, named, and never edited once released.
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1 first") { database in
            try database.execute(sql: first)
        }
        migrator.registerMigration("10 purge") { database in
            try database.execute(sql: purge)
        }
        migrator.registerMigration("20 shares") { database in
            try database.execute(sql: shares)
        }
        migrator.registerMigration("22 invitations") { database in
            try database.execute(sql: invitations)
        }
        migrator.registerMigration("24 usage") { database in
            try database.execute(sql: usage)
        }
        migrator.registerMigration("30 states") { database in
            try database.execute(sql: states)
        }
        migrator.registerMigration("40 ends") { database in
            try database.execute(sql: ends)
        }
        migrator.registerMigration("50 unnamed") { database in
            try database.execute(sql: unnamed)
        }
        migrator.registerMigration("60 held grants") { database in
            try database.execute(sql: heldGrants)
        }
        migrator.registerMigration("70 collection time") { database in
            try database.execute(sql: collectionTime)
        }
        return migrator
    }

    // What stands in a folder that is purged; `version_name` has the others.
    private static let purge = """
        CREATE INDEX version_deleted ON version (log, parent)
            WHERE superseded IS NULL AND deleted = 1;
        -- Versions of what was purged have 2 in `deleted`.
        CREATE INDEX version_purged ON version (log, superseded) WHERE deleted = 2;
        """

    // Large columns stand last, so that reading the others does not walk their overflow pages.
    private static let first = """
        CREATE TABLE account (
            id INTEGER PRIMARY KEY,
            account BLOB NOT NULL UNIQUE,
            username TEXT NOT NULL UNIQUE,
            request_key BLOB NOT NULL UNIQUE,
            signing_key BLOB NOT NULL,
            head_position INTEGER NOT NULL,
            head_hash BLOB NOT NULL,
            bodies_from INTEGER NOT NULL DEFAULT 0,
            certificate BLOB NOT NULL
        ) STRICT;

        CREATE TABLE entry (
            log INTEGER NOT NULL REFERENCES account (id),
            position INTEGER NOT NULL,
            at INTEGER NOT NULL,
            hash BLOB NOT NULL,
            header BLOB NOT NULL,
            certificate BLOB,
            PRIMARY KEY (log, position)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE entry_group (
            id INTEGER PRIMARY KEY,
            log INTEGER NOT NULL,
            position INTEGER NOT NULL,
            scope BLOB NOT NULL,
            bytes BLOB NOT NULL
        ) STRICT;
        CREATE UNIQUE INDEX entry_group_place ON entry_group (log, position, scope);

        CREATE TABLE record (
            id INTEGER PRIMARY KEY,
            owner INTEGER NOT NULL,
            at INTEGER NOT NULL,
            hash BLOB NOT NULL,
            bytes BLOB NOT NULL
        ) STRICT;
        CREATE UNIQUE INDEX record_hash ON record (owner, hash);

        CREATE TABLE blob (
            id INTEGER PRIMARY KEY,
            owner INTEGER NOT NULL,
            at INTEGER NOT NULL,
            name BLOB NOT NULL,
            size INTEGER NOT NULL,
            segments BLOB,
            bytes BLOB
        ) STRICT;
        CREATE UNIQUE INDEX blob_name ON blob (owner, name);

        CREATE TABLE version (
            id INTEGER PRIMARY KEY,
            log INTEGER NOT NULL,
            position INTEGER NOT NULL,
            superseded INTEGER,
            record INTEGER NOT NULL REFERENCES record (id),
            blob INTEGER REFERENCES blob (id),
            deleted INTEGER NOT NULL,
            file BLOB NOT NULL,
            parent BLOB NOT NULL,
            scope BLOB NOT NULL,
            tag BLOB NOT NULL
        ) STRICT;
        CREATE UNIQUE INDEX version_file ON version (log, file, position);
        CREATE UNIQUE INDEX version_name ON version (log, parent, tag)
            WHERE superseded IS NULL AND deleted = 0;
        CREATE INDEX version_superseded ON version (log, superseded)
            WHERE superseded IS NOT NULL;
        CREATE INDEX version_record ON version (record);
        CREATE INDEX version_blob ON version (blob) WHERE blob IS NOT NULL;

        CREATE TABLE checkpoint (
            log INTEGER NOT NULL,
            position INTEGER NOT NULL,
            replaced INTEGER,
            bytes BLOB NOT NULL,
            PRIMARY KEY (log, position)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE upload (
            owner INTEGER NOT NULL,
            name BLOB NOT NULL,
            at INTEGER NOT NULL,
            length INTEGER NOT NULL,
            segments BLOB NOT NULL,
            PRIMARY KEY (owner, name)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE collection (mark INTEGER NOT NULL) STRICT;
        INSERT INTO collection (mark) VALUES (0);
        """
}
