import GRDB
import LockbookModel

/// Files made here that a merge made one with another of the same name: what commands did with them
/// is about the other one.
extension LocalTree {
    /// Folders, and of documents those that a command which can be taken back was about.
    /// - Parameter local: the files as they were here.
    func noteJoined(_ joined: [FileID: FileID], of local: [FileID: File]) throws {
        guard !joined.isEmpty, let command = try newestCommand() else { return }
        let isRemembered = try db.cachedStatement(
            sql: "SELECT EXISTS (SELECT 1 FROM replaced WHERE file = ?)"
        )
        // What a server had lost is new to it, and may be joined in its turn.
        let follow = try db.cachedStatement(sql: "UPDATE joined SET other = ? WHERE other = ?")
        let note = try db.cachedStatement(
            sql: "INSERT OR REPLACE INTO joined (file, other, command) VALUES (?, ?, ?)"
        )
        for (id, other) in joined.sorted(by: { $0.key < $1.key }) {
            try follow.run(other.bytes.data, id.bytes.data)
            guard
                try local[id]?.type == .folder
                    || Bool.fetchOne(isRemembered, arguments: [id.bytes.data]) == true
            else { continue }
            try note.run(id.bytes.data, other.bytes.data, command)
        }
    }

    /// The file that one which is no more was made one with.
    func joined(_ file: FileID) throws -> FileRow? {
        let statement = try db.cachedStatement(sql: "SELECT other FROM joined WHERE file = ?")
        let found = try Row.fetchOne(statement, arguments: [file.bytes.data])
        return try found.flatMap { FileID($0.bytes(0)) }.flatMap { try row($0) }
    }

    /// A state of a file in the folder that its own one was made one with since.
    func movedToJoined(_ file: File) throws -> File {
        guard try row(file.parent) == nil, let folder = try joined(file.parent) else { return file }
        var file = file
        file.parent = folder.id
        return file
    }

    /// Lets go of what no command that is remembered can be about.
    func trimJoined() throws {
        try db.cachedStatement(
            sql: "DELETE FROM joined WHERE command < (SELECT min(id) FROM command)"
        ).run()
    }
}
