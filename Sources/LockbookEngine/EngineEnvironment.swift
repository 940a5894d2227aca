import FoundationEssentials
import Glibc
import LockbookAPI
package import LockbookCrypto
package import LockbookModel
import LockbookProcess

/// What the engine takes from outside: time, randomness, the network, and how this device is called.
package struct EngineEnvironment: Sendable {
    package var now: @Sendable () -> Timestamp
    package var random: RandomSource
    package var deviceName: String
    /// Contents with larger blobs stay on the server until they are read.
    package var lazyByteCount: UInt64
    /// From so many bytes on, contents are fetched while what leads to them is merged.
    package var prefetchByteCount: UInt64 = 1 << 20
    /// New files are pushed in entries of this many records.
    package var pushRecordCount = 20_000
    /// Changes are pushed in entries of at most this many scopes.
    package var pushScopeCount = EntryBody.maximumGroupCount
    /// Of a command that changes more files nothing is kept for `undo`.
    package var undoneFileCount = 20_000
    /// Bytes of records and contents that one request aims at.
    package var batchByteCount = Wire.batchByteCount
    /// Bytes of sealed records that go to the server while others of their entry are sealed: some 1,400,
    /// which it keeps in the time in which as many are sealed.
    package var aheadByteCount = 512 << 10
    /// Bytes of records that wait in memory before they are merged.
    package var waitingByteCount = 64 << 20
    /// Bytes of the paths of what an export finds so deep that no program opens it by its path.
    package var deepPathByteCount = 256 << 20
    /// So many records have to lie behind a checkpoint, and be a quarter of the state, before the
    /// next one is signed.
    package var checkpointRecordCount: Int64 = 256
    /// Days after which a sync purges what is in the trash; nil for never.
    package var trashDays: Int64? = 30
    /// How long a history waits for the server, before it shows what is here.
    package var historyPatience = Duration.seconds(10)
    /// So many logs of others are asked for at once, and no more that something is left of are begun.
    package var followedLogCount = Wire.followedLogCount
    /// Of what is only offered and is wrong, so many bytes are read anew in each sync, and more once in an hour.
    package var vainByteCount = 4 << 20
    /// So many entries after one another may be about what is not seen here, in what a sync reads of a log;
    /// a push that comes after some of them counts as ``Sync/unseenPerRound`` more.
    package var unseenBudget = 1 << 20
    /// Called when another process keeps a change waiting.
    package var busy: @Sendable () -> Void = {}
    package var connect: @Sendable (ServerAddress) throws -> any ServerConnection
    /// What servers are asked for at this moment.
    var openRequests = OpenRequests()

    package static let system = EngineEnvironment(
        now: {
            var time = timespec()
            clock_gettime(CLOCK_REALTIME, &time)
            return Timestamp(
                milliseconds: Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
            )
        },
        random: .system,
        deviceName: hostName(),
        lazyByteCount: lazyLimit(),
        trashDays: trashDays(),
        connect: { address in
            // What waits for connections ends the process where it gets no descriptors, or no thread.
            try OpenFiles.need(OpenFiles.ofConnections)
            guard RoomForThreads.isThere(for: RoomForThreads.ofConnections) else {
                throw LockbookError.tooFewThreads
            }
            return HTTPConnection(address: address)
        }
    )

    private static func hostName() -> String {
        var buffer = [CChar](repeating: 0, count: 256)
        guard gethostname(&buffer, buffer.count - 1) == 0 else { return "device" }
        let bytes = buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        let name = DeviceName.plain(String(decoding: bytes, as: UTF8.self))
        // Marks between two versions end with a name.
        return name.isEmpty ? "device" : name
    }

    /// 10 MB, or what `LOCKBOOK_LAZY_BYTES` says.
    private static func lazyLimit() -> UInt64 {
        guard let text = getenv("LOCKBOOK_LAZY_BYTES"), let limit = UInt64(String(cString: text))
        else { return 10_000_000 }
        return limit
    }

    /// 30, or what `LOCKBOOK_TRASH_DAYS` says; what is no number there keeps the trash for ever.
    private static func trashDays() -> Int64? {
        guard let text = getenv("LOCKBOOK_TRASH_DAYS"), text.pointee != 0 else { return 30 }
        return Int64(String(cString: text)).flatMap { $0 >= 0 ? min($0, 100_000) : nil }
    }
}
