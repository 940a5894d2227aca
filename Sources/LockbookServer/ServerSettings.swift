import FoundationEssentials
import LockbookAPI

/// What can be chosen about a server that is not where it listens.
package struct ServerSettings: Sendable {
    /// The server's time in seconds since 1970.
    package var now: @Sendable () -> Int64
    package var turnClock: TurnClock
    /// How long superseded versions and what deleted files held stay.
    package var retentionDays: Int
    /// How many versions of a file stay longer than that.
    package var keptVersions: Int
    /// How long staged things wait for the push that lists them, in seconds.
    package var stagedSeconds: Int64 = 48 * 3600
    /// The bytes that may be kept of one account; nil for any number.
    package var quota: UInt64?
    /// The bytes of records that one answer to a device aims at.
    package var pageByteCount = Wire.batchByteCount
    /// The bytes of groups that are read for one answer, of which a reader may be shown the hashes alone.
    var readByteCount: Int { 8 * pageByteCount }
    /// Of how many segments of unfinished uploads the digests are kept in memory, 32 bytes each: what is
    /// only announced costs an account nothing.
    package var uploadSegmentCount = 1 << 20
    /// How many uploads of an account may have begun and not ended: each is a file, however small.
    ///
    /// Its members may begin half as many, so that they do not keep it from its own.
    package var uploadCount = 2_000
    /// How many bytes of files that no row names may be left to read where a request waits for that: some
    /// seconds of a slow disk.
    package var awaitedByteCount: UInt64 = 1 << 30
    /// Whether new accounts may be made.
    package var isOpen = true

    package init(
        retentionDays: Int = 90,
        keptVersions: Int = 20,
        now: @escaping @Sendable () -> Int64 = { Int64(Date().timeIntervalSince1970) },
        turnClock: TurnClock = .system
    ) {
        self.retentionDays = retentionDays
        self.keptVersions = keptVersions
        self.now = now
        self.turnClock = turnClock
    }

    /// How long a whole content stays that no row names, from when a collection first found that, in
    /// seconds.
    ///
    /// It may be the only copy, where a database was put back: devices need time to push what names it.
    var unnamedSeconds: Int64 { Int64(max(retentionDays, 30)) * 86_400 }
}
