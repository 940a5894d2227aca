/// What an import or export did.
public struct TransferReport: Sendable, Equatable, Codable {
    /// One thing that could not be carried over.
    public struct Problem: Sendable, Equatable, Codable {
        public var path: String
        public var reason: String

        public init(path: String, reason: String) {
            self.path = path
            self.reason = reason
        }
    }

    /// Files that went into what somebody shares, because a link to it stands where they go.
    public struct Shared: Sendable, Equatable, Codable {
        /// Of the link.
        public var path: String
        public var files: Int
    }

    public var created = 0
    public var updated = 0
    /// Files, among those, that took the place of a note not made of them; nil of an export.
    ///
    /// Of what another program exported, the notes.
    public var replaced: [String]?
    /// What of those went into somebody's share; nil of an export.
    public var shared: [Shared]?
    /// Notes that another program kept of conflicts, which stand apart; nil where there are none.
    public var conflicts: Int?
    public var unchanged = 0
    /// Files that an export took away, because they are not in the lockbook any more.
    public var removed = 0
    /// What an import passed by, as it was told to; an ignored folder counts once.
    public var ignored = 0
    public var folders = 0
    /// Bytes of plaintext of the files that were taken in, or written.
    public var bytes: UInt64 = 0
    public var problems: [Problem] = []
    /// How many of these are symbolic links, which no import follows; nil where there are none.
    public var links: Int?
    /// Why this device cannot remember what an export wrote; nil where it can, and of an import.
    public var unremembered: String?
    /// Where a mirror left what is not in the lockbook any more, because something there cannot be
    /// read, or stands too deep; nil where it left nothing for that.
    public var unremoved: [String]?
    /// The first of what an export wrote that others may read, as the file system keeps no modes;
    /// nil where it keeps them, and of an import.
    public var unprotected: String?
    /// The first of the files that an export wrote and could not give the times of their notes; nil
    /// where it could, and of an import.
    public var undated: String?

    public init() {}

    /// Counts a file that was taken in behind a link.
    mutating func noteShared(at path: String) {
        if let index = shared?.lastIndex(where: { $0.path == path }) {
            shared?[index].files += 1
        } else {
            shared?.append(Shared(path: path, files: 1))
        }
    }
}

/// How far an import or export is.
public struct TransferProgress: Sendable, Equatable {
    public var files: Int
    /// Of plaintext; an import counts what stays as it is, too.
    public var bytes: UInt64
    public var current: String
}

/// How an export treats what it finds.
public struct ExportOptions: Sendable {
    /// Overwrite files that no earlier export wrote.
    public var force = false
    /// Take away what an earlier export wrote and what is not in the lockbook any more.
    public var mirror = false

    public init() {}
}

/// How an import treats what it finds.
public struct ImportOptions: Sendable {
    /// Read every file, also those that look as they did when they were taken in.
    public var checksum = false
    /// Take the disk's file also where the note was changed in the lockbook.
    public var force = false
    /// What to pass by: patterns as in `.lockbookignore`, as if they stood above its lines.
    public var excluded: [String] = []
    /// Whether what a folder holds is taken, as if `FOLDER/.` was named.
    var takesContents = false

    public init() {}
}
