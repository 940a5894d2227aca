import HTTPTypes
import LockbookAPI
import LockbookEngine
import LockbookServer
import Logging
import NIOCore

/// The real server over a simulated disk; it can die and start again.
final class SimulatedServer {
    private(set) var folder: SimulatedFolder
    private(set) var server: LockbookServer
    private var store: SQLiteStore
    private let settings: ServerSettings
    private let name: String
    private var starts = 0
    let leftovers: Leftovers

    static let retentionDays = 90

    /// - Parameters:
    ///   - keptVersions: how many versions of a document outlive the retention.
    ///   - pageByteCount: the bytes of records that one answer aims at; nil for the usual ones.
    init(
        name: String,
        clock: SimulatedClock,
        keptVersions: Int,
        pageByteCount: Int?,
        folder: SimulatedFolder? = nil
    ) throws {
        self.name = name
        var settings = ServerSettings(
            retentionDays: Self.retentionDays,
            keptVersions: keptVersions,
            now: { clock.now / 1_000 },
            turnClock: TurnClock(
                now: { .milliseconds(clock.now) },
                sleep: { clock.advance(by: Int64($0 / .milliseconds(1))) }
            )
        )
        settings.pageByteCount = pageByteCount ?? settings.pageByteCount
        self.settings = settings
        self.folder = folder ?? SimulatedFolder.empty("\(name)-server-0")
        leftovers = Leftovers()
        store = try Self.openStore(in: self.folder)
        server = try Self.start(self.folder, store, settings, leftovers)
    }

    private static func openStore(in folder: SimulatedFolder) throws -> SQLiteStore {
        try SQLiteStore(path: "\(folder.path)/server.sqlite", keepsThread: true)
    }

    private static func start(
        _ folder: SimulatedFolder,
        _ store: SQLiteStore,
        _ settings: ServerSettings,
        _ leftovers: Leftovers
    ) throws -> LockbookServer {
        var logger = Logger(label: "simulation", factory: { _ in SwiftLogNoOpLogHandler() })
        logger.logLevel = .critical
        return LockbookServer(
            store: store,
            blobs: SimulatedBlobStore(
                store: try DiskBlobStore(folder: "\(folder.path)/blobs"),
                folder: folder,
                leftovers: leftovers
            ),
            settings: settings,
            logger: logger
        )
    }

    /// Starts again from what a power cut left.
    func crash(seed: UInt64) throws {
        starts += 1
        let next = try folder.crashed("\(name)-server-\(starts)", seed: seed)
        store = try Self.openStore(in: next)
        server = try Self.start(next, store, settings, leftovers)
        folder = next
    }

    /// The process ends as it should.
    func close() throws {
        try store.close()
    }

    /// The answer to one request.
    func answer(_ request: WireRequest) async throws -> WireResponse {
        guard let method = HTTPRequest.Method(rawValue: request.method) else {
            throw Broken("a method without a name")
        }
        var head = HTTPRequest(
            method: method,
            scheme: "http",
            authority: "127.0.0.1:7654",
            path: request.path
        )
        for field in request.fields {
            if let name = HTTPField.Name(field.name) { head.headerFields[name] = field.value }
        }
        let server = server
        let answer = await server.respond(to: head) { limit, _ in
            guard request.body.count <= limit else { throw Refusal(.tooLarge, "too large") }
            return ByteBuffer(bytes: request.body)
        }
        var fields: [String: String] = [:]
        for field in answer.fields { fields[field.name.canonicalName] = field.value }
        return WireResponse(
            status: answer.status.code,
            fields: fields,
            body: Array(answer.body.readableBytesView)
        )
    }

    func collect() async throws {
        let server = server
        try await server.collect()
    }
}
