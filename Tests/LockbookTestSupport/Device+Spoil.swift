import Foundation
import GRDB

extension Device {
    /// Every content on the device, in rows and in files, gets one bit the other way.
    package func spoilContents() throws {
        let queue = try DatabaseQueue(path: directory + "/lockbook.db")
        try queue.write { db in
            for row in try Row.fetchAll(db, sql: "SELECT name, bytes FROM blob") {
                guard let bytes = row["bytes"] as Data? else { continue }
                try db.execute(
                    sql: "UPDATE blob SET bytes = ? WHERE name = ?",
                    arguments: [Self.spoiled(bytes), row["name"] as Data]
                )
            }
        }
        try queue.close()
        let folder = directory + "/blobs"
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
            let file = URL(fileURLWithPath: folder + "/" + name)
            try Self.spoiled(try Data(contentsOf: file)).write(to: file)
        }
    }

    /// What was agreed with the server of the document that came first here becomes nonsense.
    package func spoilFirstRecord() throws {
        let queue = try DatabaseQueue(path: directory + "/lockbook.db")
        try queue.write {
            try $0.execute(
                sql: """
                    UPDATE file SET base = x'00'
                        WHERE number = (SELECT min(number) FROM file WHERE type = 1)
                    """
            )
        }
        try queue.close()
    }

    private static func spoiled(_ bytes: Data) -> Data {
        var bytes = bytes
        bytes[bytes.count * 3 / 4] ^= 1
        return bytes
    }
}

extension Device {
    /// What the device has of others' shares loses the folders that are inside of a shared one.
    package func loseSharedFolders() throws {
        try executeInShares(
            """
            DELETE FROM file WHERE type = 0
                AND parent IN (SELECT id FROM file WHERE parent <> id)
            """
        )
    }

    /// As if what others share had ended here before, with another offer to give it away in it, and
    /// the device had been killed before it let go of what it noted then.
    package func noteEarlierOffers() throws {
        try executeInShares(
            "INSERT OR REPLACE INTO last_offer (file, number) SELECT file, 9 FROM share_grant"
        )
    }

    private func executeInShares(_ sql: String) throws {
        let shares = directory + "/shares"
        for owner in try FileManager.default.contentsOfDirectory(atPath: shares) {
            let queue = try DatabaseQueue(path: "\(shares)/\(owner)/lockbook.db")
            try queue.write { try $0.execute(sql: sql) }
            try queue.close()
        }
    }

    /// What the device has of others' shares loses the files of contents.
    package func loseSharedContents() throws {
        for file in try sharedContents() { try FileManager.default.removeItem(at: file) }
    }

    /// Every content in a file that the device has of others' shares gets one bit the other way.
    package func spoilSharedContents() throws {
        for file in try sharedContents() {
            try Self.spoiled(Data(contentsOf: file)).write(to: file)
        }
    }

    private func sharedContents() throws -> [URL] {
        let shares = directory + "/shares"
        let files = FileManager.default
        return try files.contentsOfDirectory(atPath: shares).flatMap { owner in
            let folder = URL(fileURLWithPath: "\(shares)/\(owner)/blobs")
            return try files.contentsOfDirectory(atPath: folder.path).map {
                folder.appendingPathComponent($0)
            }
        }
    }

    /// What was changed here in others' shares becomes nonsense that is pushed all the same.
    package func spoilSharedChanges() throws {
        let shares = directory + "/shares"
        for owner in try FileManager.default.contentsOfDirectory(atPath: shares) {
            let queue = try DatabaseQueue(path: "\(shares)/\(owner)/lockbook.db")
            try queue.write { db in
                for row in try Row.fetchAll(
                    db,
                    sql: "SELECT number, local FROM file WHERE local IS NOT NULL"
                ) {
                    guard var record = row["local"] as Data? else { continue }
                    // In the sealed body: the server checks the facts before it.
                    record[record.count - 20] ^= 1
                    try db.execute(
                        sql: "UPDATE file SET local = ? WHERE number = ?",
                        arguments: [record, row["number"] as Int64]
                    )
                }
            }
            try queue.close()
        }
    }

    /// The databases are as those programs left them that kept no keys of what was replaced.
    package func forgetKeysOfReplaced() throws {
        let shares = directory + "/shares"
        let others = try FileManager.default.contentsOfDirectory(atPath: shares)
        for folder in [directory] + others.map({ "\(shares)/\($0)" }) {
            let queue = try DatabaseQueue(path: folder + "/lockbook.db")
            try queue.write {
                try $0.execute(
                    sql: """
                        ALTER TABLE version DROP COLUMN key;
                        ALTER TABLE ended DROP COLUMN offer;
                        DROP TABLE last_offer;
                        PRAGMA user_version = 49
                        """
                )
            }
            try queue.close()
        }
    }
}
