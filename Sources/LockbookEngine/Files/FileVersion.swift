/// One version of a file: what it was between two changes.
public struct FileVersion: Sendable, Equatable, Codable {
    /// What made it another version than the one before.
    public enum Change: String, Sendable, Codable, CaseIterable {
        case made, edited, renamed, moved, deleted, restored
        /// Something else, such as whether it may be run; or what it was is not known.
        case changed
    }

    /// Why the content of a version cannot be had any more.
    public enum Loss: Sendable {
        /// The server keeps it no more.
        case notKept
        /// It was read through a share that was taken back since.
        case notShared
        /// The keys that led to it are gone.
        case noKey
    }

    /// 16 hexadecimal digits, by which the version is asked for.
    public var version: String
    /// The file's own id.
    public var id: String
    /// Where the file stood: its name then, in the folder it was in, under that folder's path now.
    public var path: String
    public var change: Change
    /// When, as the author's clock had it, in milliseconds since 1970: of a text when it was
    /// written, of another change when it was signed, or on this device alone when it was made.
    public var time: Int64
    /// The name of the author's device then.
    public var device: String
    /// The id of that device.
    public var deviceID: String
    public var author: String
    /// Bytes of plaintext; 0 for folders.
    public var size: UInt64
    /// Whether the content can be read without the server.
    public var isHere: Bool
    /// Whether it is on this device alone: no sync took it along.
    public var isUnsynced: Bool
    /// The log entry that made it the file's; nil for what is on this device alone, and where the
    /// server did not tell.
    public var position: UInt64?
    /// Whether the server proved that this entry lists it; what is here needs no proof.
    public var isProven: Bool
}

/// The versions of a file, or of all in a folder, the newest first.
public struct FileHistory: Sendable, Equatable, Codable {
    public var versions: [FileVersion]
    /// Whether the server told what it has; without it only what is on this device is here.
    public var isComplete: Bool
    /// Whether there are older ones that were not asked for.
    public var hasMore: Bool
    /// Why the server told nothing; nil when it did.
    public var obstacle: Obstacle?

    /// What keeps a device from hearing what the server has.
    public enum Obstacle: String, Sendable, Codable {
        /// The server gives no answer, or none that is of use here.
        case unreachable
        /// This process may open no more files, so no connection either.
        case tooFewFiles
        /// This process may make no more threads, and a connection takes some.
        case tooFewThreads
        /// The server does not tell this account: what it is in is not shared with it any more.
        case refused
    }
}
