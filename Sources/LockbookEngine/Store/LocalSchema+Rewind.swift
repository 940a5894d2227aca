extension LocalSchema {
    static let rewind = """
        -- Entries of the log up to which this device once had synced, in their order, and how many
        -- files each step brought. A server that was restored from a backup is followed back to
        -- one of them.
        CREATE TABLE step (
            number INTEGER PRIMARY KEY,
            header BLOB NOT NULL,
            files INTEGER NOT NULL
        );
        INSERT INTO step (header, files)
            SELECT value, 0 FROM setting WHERE key = 'newestHeader';

        -- What was agreed of a file before a step: none for one that was not known. Of one that is
        -- gone for good nothing is kept.
        CREATE TABLE rewound (
            file BLOB NOT NULL,
            step INTEGER NOT NULL,
            before BLOB,
            PRIMARY KEY (file, step)
        ) WITHOUT ROWID;
        -- The grants that held before a step.
        CREATE TABLE rewound_grant (
            file BLOB NOT NULL,
            grantee BLOB NOT NULL,
            step INTEGER NOT NULL,
            before BLOB,
            PRIMARY KEY (file, grantee, step)
        ) WITHOUT ROWID;

        -- Kept by the database itself, so that no way of changing what is agreed is forgotten. What
        -- is done between two steps belongs to the later one.
        CREATE TRIGGER base_made AFTER INSERT ON file
        WHEN NEW.base IS NOT NULL AND EXISTS (SELECT 1 FROM step) BEGIN
            INSERT INTO rewound (file, step, before)
                SELECT NEW.id, (SELECT max(number) + 1 FROM step), NULL
                WHERE NOT EXISTS (
                    SELECT 1 FROM rewound
                    WHERE file = NEW.id AND step = (SELECT max(number) + 1 FROM step)
                );
        END;
        CREATE TRIGGER base_changed AFTER UPDATE OF base ON file
        WHEN OLD.base IS NOT NEW.base AND EXISTS (SELECT 1 FROM step) BEGIN
            INSERT INTO rewound (file, step, before)
                SELECT NEW.id, (SELECT max(number) + 1 FROM step), OLD.base
                WHERE NOT EXISTS (
                    SELECT 1 FROM rewound
                    WHERE file = NEW.id AND step = (SELECT max(number) + 1 FROM step)
                );
        END;
        CREATE TRIGGER base_gone AFTER DELETE ON file
        WHEN OLD.base IS NOT NULL BEGIN
            DELETE FROM rewound WHERE file = OLD.id;
        END;
        CREATE TRIGGER grant_changed BEFORE INSERT ON share_grant
        WHEN EXISTS (SELECT 1 FROM step) BEGIN
            INSERT INTO rewound_grant (file, grantee, step, before)
                SELECT NEW.file, NEW.grantee, (SELECT max(number) + 1 FROM step),
                    (SELECT bytes FROM share_grant WHERE file = NEW.file AND grantee = NEW.grantee)
                WHERE NOT EXISTS (
                    SELECT 1 FROM rewound_grant
                    WHERE file = NEW.file AND grantee = NEW.grantee
                        AND step = (SELECT max(number) + 1 FROM step)
                );
        END;
        """

    /// As it was, with one look into the table instead of two.
    ///
    /// No statement that changes a base says what to do about a conflict: that would count here as
    /// well (https://www.sqlite.org/lang_createtrigger.html).
    static let rewindQuicker = """
        DROP TRIGGER base_changed;
        CREATE TRIGGER base_changed AFTER UPDATE OF base ON file
        WHEN OLD.base IS NOT NEW.base AND EXISTS (SELECT 1 FROM step) BEGIN
            INSERT OR IGNORE INTO rewound (file, step, before)
                VALUES (NEW.id, (SELECT max(number) + 1 FROM step), OLD.base);
        END;
        """

    /// By steps first.
    ///
    /// What many files were before one step is written side by side, where each of them was put into
    /// another page of a table that is larger than the cache. No statement that makes a row of a file
    /// says what to do about a conflict, either.
    static let rewindByStep = """
        DROP TRIGGER base_made;
        DROP TRIGGER base_changed;
        DROP TRIGGER base_gone;
        CREATE TABLE rewound_by_step (
            step INTEGER NOT NULL,
            file BLOB NOT NULL,
            before BLOB,
            PRIMARY KEY (step, file)
        ) WITHOUT ROWID;
        INSERT INTO rewound_by_step (step, file, before)
            SELECT step, file, before FROM rewound ORDER BY step, file;
        DROP TABLE rewound;
        ALTER TABLE rewound_by_step RENAME TO rewound;
        CREATE INDEX rewound_file ON rewound (file);
        CREATE TRIGGER base_made AFTER INSERT ON file
        WHEN NEW.base IS NOT NULL AND EXISTS (SELECT 1 FROM step) BEGIN
            INSERT OR IGNORE INTO rewound (file, step, before)
                VALUES (NEW.id, (SELECT max(number) + 1 FROM step), NULL);
        END;
        CREATE TRIGGER base_changed AFTER UPDATE OF base ON file
        WHEN OLD.base IS NOT NEW.base AND EXISTS (SELECT 1 FROM step) BEGIN
            INSERT OR IGNORE INTO rewound (file, step, before)
                VALUES (NEW.id, (SELECT max(number) + 1 FROM step), OLD.base);
        END;
        CREATE TRIGGER base_gone AFTER DELETE ON file
        WHEN OLD.base IS NOT NULL BEGIN
            DELETE FROM rewound WHERE file = OLD.id;
        END;
        """

    static let rewindTold = """
        -- Whether something was told of a scope before a step.
        CREATE TABLE rewound_told (
            scope BLOB NOT NULL,
            outer BLOB NOT NULL,
            step INTEGER NOT NULL,
            before INTEGER NOT NULL,
            PRIMARY KEY (scope, outer, step)
        ) WITHOUT ROWID;
        CREATE TRIGGER told AFTER INSERT ON share_told
        WHEN EXISTS (SELECT 1 FROM step) BEGIN
            INSERT INTO rewound_told (scope, outer, step, before)
                SELECT NEW.scope, NEW.outer, (SELECT max(number) + 1 FROM step), 0
                WHERE NOT EXISTS (
                    SELECT 1 FROM rewound_told
                    WHERE scope = NEW.scope AND outer = NEW.outer
                        AND step = (SELECT max(number) + 1 FROM step)
                );
        END;
        CREATE TRIGGER told_no_more AFTER DELETE ON share_told
        WHEN EXISTS (SELECT 1 FROM step) BEGIN
            INSERT INTO rewound_told (scope, outer, step, before)
                SELECT OLD.scope, OLD.outer, (SELECT max(number) + 1 FROM step), 1
                WHERE NOT EXISTS (
                    SELECT 1 FROM rewound_told
                    WHERE scope = OLD.scope AND outer = OLD.outer
                        AND step = (SELECT max(number) + 1 FROM step)
                );
        END;
        """
}
