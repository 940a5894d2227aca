import Foundation
import HTTPTypes
import LockbookAPI
import LockbookCrypto
import LockbookModel
import LockbookServer
import Logging
import NIOCore
import SwiftProtobuf
import Synchronization

/// A time that stands still until a test moves it.
final class TestClock: Sendable {
    private let seconds: Mutex<Int64>

    init(_ seconds: Int64 = 1_800_000_000) {
        self.seconds = Mutex(seconds)
    }

    var now: Int64 { seconds.withLock { $0 } }

    func advance(by more: Int64) {
        seconds.withLock { $0 += more }
    }
}

/// A real server over a real store in a folder that goes with it.
final class TestServer: Sendable {
    let path: String
    let folder: DataFolder
    let server: LockbookServer
    let clock: TestClock

    init(
        clock: TestClock = TestClock(),
        turnClock: TurnClock = .system,
        keptVersions: Int = 20,
        quota: UInt64? = nil,
        isOpen: Bool = true,
        pageByteCount: Int? = nil,
        uploadSegmentCount: Int? = nil,
        uploadCount: Int? = nil,
        awaitedByteCount: UInt64? = nil,
        at path: String? = nil,
        log: TestLog? = nil,
        store: (SQLiteStore) -> any MetadataStore = { $0 },
        blobs: (DiskBlobStore) -> any BlobStore = { $0 }
    ) throws {
        self.clock = clock
        self.path =
            path
            ?? FileManager.default.temporaryDirectory
            .appending(path: "lockbook-server-\(UUID().uuidString)").path
        folder = try DataFolder(path: self.path)
        var settings = ServerSettings(
            keptVersions: keptVersions,
            now: { clock.now },
            turnClock: turnClock
        )
        settings.quota = quota
        settings.isOpen = isOpen
        settings.pageByteCount = pageByteCount ?? settings.pageByteCount
        settings.uploadSegmentCount = uploadSegmentCount ?? settings.uploadSegmentCount
        settings.uploadCount = uploadCount ?? settings.uploadCount
        settings.awaitedByteCount = awaitedByteCount ?? settings.awaitedByteCount
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        if let log { logger = log.logger }
        server = LockbookServer(
            store: store(folder.store),
            blobs: blobs(folder.blobs),
            settings: settings,
            logger: logger
        )
    }

    deinit {
        try? folder.close()
        try? FileManager.default.removeItem(atPath: path)
    }

    /// Everything that a push may change, as one digest.
    func stateHash(of person: TestPerson) async throws -> Hash256 {
        let id = person.account
        return try await folder.store.read { store in
            guard let account = try store.account(id: id) else { return .zero }
            var encoder = CanonicalEncoder()
            encoder.append(account.head.position)
            encoder.append(account.head.hash)
            for item in try store.state(
                of: account.key,
                at: account.head.position,
                after: nil,
                limit: 100_000
            ) {
                encoder.append(fixed: item.file.bytes)
                encoder.append(item.recordHash)
            }
            return Hash256(sha256: encoder.bytes)
        }
    }

    func send(_ request: HTTPRequest, body: [UInt8]) async -> Answer {
        await server.respond(to: request) { limit, _ in
            guard body.count <= limit else { throw Refusal(.tooLarge, "too large") }
            return ByteBuffer(bytes: body)
        }
    }
}

/// What a test expects when a request is refused.
struct Refused: Error, Equatable, CustomStringConvertible {
    var status: Int
    var code: Lockbook_V1_ErrorResponse.Code
    var message = ""
    var file: [UInt8] = []
    var serverTime: Int64 = 0

    static func == (left: Refused, right: Refused) -> Bool {
        left.status == right.status && left.code == right.code
    }

    var description: String { "\(status) \(code) \(message)" }

    static let violation = Refused(status: 422, code: .violation)
    static let malformed = Refused(status: 400, code: .malformed)
    static let unauthorized = Refused(status: 401, code: .unauthorized)
    static let notPermitted = Refused(status: 403, code: .notPermitted)
    static let notFound = Refused(status: 404, code: .notFound)
    static let noAccount = Refused(status: 404, code: .noAccount)
    static let nameTaken = Refused(status: 409, code: .nameTaken)
    static let tooLarge = Refused(status: 413, code: .tooLarge)
    static let updateNeeded = Refused(status: 426, code: .updateNeeded)
    static let unavailable = Refused(status: 503, code: .unavailable)
    static let clock = Refused(status: 401, code: .clock)
}

extension Answer {
    var bytes: [UInt8] { Array(body.readableBytesView) }

    /// The body of a good answer.
    func content() throws -> [UInt8] {
        guard status == .ok else {
            let error = try Lockbook_V1_ErrorResponse(serializedBytes: bytes)
            throw Refused(
                status: status.code,
                code: error.code,
                message: error.message,
                file: Array(error.file),
                serverTime: error.serverTime
            )
        }
        return bytes
    }
}
