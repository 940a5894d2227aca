import Foundation
import HTTPTypes
import LockbookAPI
import LockbookEngine
import LockbookModel
package import LockbookServer
import Logging
import NIOCore
import Synchronization

/// A real server over a real store, reached without a network.
package final class TestServer: Sendable {
    package let path: String
    private let running: Mutex<(folder: DataFolder, server: LockbookServer)>
    private let ahead = DeviceClock()

    private let choices: Choices

    private struct Choices {
        var quota: UInt64?
        var pageByteCount: Int?
    }

    package var folder: DataFolder { running.withLock { $0.folder } }
    var server: LockbookServer { running.withLock { $0.server } }

    /// - Parameters:
    ///   - quota: the bytes that are kept of one account; nil for any number.
    ///   - pageByteCount: the bytes of records that one answer aims at; nil for the usual ones.
    package init(quota: UInt64? = nil, pageByteCount: Int? = nil) throws {
        choices = Choices(quota: quota, pageByteCount: pageByteCount)
        path = Self.newFolder()
        running = Mutex(try Self.start(path, ahead, choices))
    }

    private static func newFolder() -> String {
        FileManager.default.temporaryDirectory
            .appending(path: "lockbook-test-\(UUID().uuidString)").path
    }

    private static func start(
        _ path: String,
        _ ahead: DeviceClock,
        _ choices: Choices
    ) throws
        -> (folder: DataFolder, server: LockbookServer)
    {
        let folder = try DataFolder(path: path)
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        var settings = ServerSettings(now: { ahead.seconds(ServerSettings().now()) })
        settings.quota = choices.quota
        settings.pageByteCount = choices.pageByteCount ?? settings.pageByteCount
        let server = LockbookServer(
            store: folder.store,
            blobs: folder.blobs,
            settings: settings,
            logger: logger
        )
        return (folder, server)
    }

    /// A copy of all that the server has now; whoever makes it removes it.
    package func backup() throws -> String {
        let copy = Self.newFolder()
        try FileManager.default.copyItem(atPath: path, toPath: copy)
        return copy
    }

    /// Puts back what a backup has.
    package func restore(_ backup: String) throws {
        try running.withLock { running in
            try running.folder.close()
            try FileManager.default.removeItem(atPath: path)
            try FileManager.default.copyItem(atPath: backup, toPath: path)
            running = try Self.start(path, ahead, choices)
        }
    }

    /// Puts back the database of a backup alone: the files of contents stay, also those that came since.
    package func restoreDatabase(_ backup: String) throws {
        let files = FileManager.default
        func names(in folder: String) throws -> [String] {
            try files.contentsOfDirectory(atPath: folder).filter { $0.hasPrefix("server.sqlite") }
        }
        try running.withLock { running in
            try running.folder.close()
            for name in try names(in: path) { try files.removeItem(atPath: "\(path)/\(name)") }
            for name in try names(in: backup) {
                try files.copyItem(atPath: "\(backup)/\(name)", toPath: "\(path)/\(name)")
            }
            running = try Self.start(path, ahead, choices)
        }
    }

    /// The bytes that the server keeps of an account.
    package func usage(of username: String) async throws -> UInt64 {
        try await folder.store.read { store in
            guard let name = Username(username), let account = try store.account(named: name) else {
                return 0
            }
            return try store.usage(of: account.key)
        }
    }

    /// The first entry of an account's log whose groups the server keeps.
    package func bodiesFrom(_ username: String) async throws -> UInt64 {
        try await folder.store.read { store in
            try Username(username).flatMap { try store.account(named: $0) }?.bodiesFrom ?? 0
        }
    }

    /// The server's clock goes on.
    package func pass(days: Int64) { ahead.pass(days: days) }

    /// Lets go of what may go, as if so many days had passed; the clock is right again after.
    package func collect(afterDays days: Int64) async throws {
        ahead.pass(days: days)
        defer { ahead.pass(days: -days) }
        try await server.collect()
    }

    deinit {
        try? running.withLock { try $0.folder.close() }
        try? FileManager.default.removeItem(atPath: path)
    }

    func answer(_ request: WireRequest) async throws -> WireResponse {
        guard let method = HTTPRequest.Method(rawValue: request.method) else {
            throw LockbookError.refused(reason: "method")
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
}

/// What a test may do to the requests of one device.
package final class WireFaults: Sendable {
    package enum Fault: Sendable {
        /// The request never arrives.
        case lost
        /// The server does what was asked, but the answer is lost.
        case answerLost
    }

    /// What is answered to a request's body in the server's place; nil for what the server says.
    package typealias Refusing = @Sendable (_ body: [UInt8]) throws -> (status: Int, body: [UInt8])?

    private struct State {
        var faults: [(path: String, fault: Fault)] = []
        var requests: [String] = []
        var sent = 0
        var before: [(path: String, action: @Sendable () async throws -> Void)] = []
        var refusals: [(path: String, answer: Refusing)] = []
        var lies: [(path: String, lie: @Sendable ([UInt8]) throws -> [UInt8])] = []
    }

    private let state = Mutex(State())
    private let link = Mutex<NarrowLink?>(nil)

    package init() {}

    /// Connections break off after so many bytes of bodies either way, until `carryAll`.
    package func breakOff(afterSending sent: Int? = nil, afterReceiving received: Int? = nil) {
        link.withLock { $0 = NarrowLink(sending: sent, receiving: received) }
    }

    package func carryAll() { link.withLock { $0 = nil } }

    func carry(_ request: WireRequest) throws {
        try link.withLock { _ = try $0?.send(request.body.count) }
    }

    func carry(_ answer: WireResponse) throws {
        try link.withLock { _ = try $0?.receive(answer.body.count) }
    }

    /// The next request to this path meets this fault.
    package func next(_ path: String, _ fault: Fault) {
        state.withLock { $0.faults.append((path, fault)) }
    }

    /// Something happens before the next request to this path arrives.
    package func before(_ path: String, _ action: @escaping @Sendable () async throws -> Void) {
        state.withLock { $0.before.append((path, action)) }
    }

    /// Every answer to requests to paths that begin so has another body, until `tellTruth`.
    package func lie(_ path: String, _ lie: @escaping @Sendable ([UInt8]) throws -> [UInt8]) {
        state.withLock { $0.lies.append((path, lie)) }
    }

    /// Requests to this path are answered in the server's place, until `tellTruth`.
    package func refuse(_ path: String, _ answer: @escaping Refusing) {
        state.withLock { $0.refusals.append((path, answer)) }
    }

    package func tellTruth() {
        state.withLock { state in
            state.lies = []
            state.refusals = []
        }
    }

    func refused(_ request: WireRequest) throws -> WireResponse? {
        let refusals = state.withLock { $0.refusals }
        guard let refusal = refusals.first(where: { $0.path == request.path }),
            let answer = try refusal.answer(request.body)
        else { return nil }
        return WireResponse(
            status: answer.status,
            fields: ["lockbook-version": "\(Wire.version)"],
            body: answer.body
        )
    }

    func said(_ answer: WireResponse, to path: String) throws -> WireResponse {
        let lies = state.withLock { $0.lies }
        guard answer.status == 200,
            let lie = lies.first(where: { path.hasPrefix($0.path) })?.lie
        else { return answer }
        return WireResponse(
            status: answer.status,
            fields: answer.fields,
            body: try lie(answer.body)
        )
    }

    /// Paths of the requests since the last call.
    package func takeRequests() -> [String] {
        state.withLock { state in
            defer { state.requests = [] }
            return state.requests
        }
    }

    /// Bytes of the bodies sent since the last call.
    package func takeSent() -> Int {
        state.withLock { state in
            defer { state.sent = 0 }
            return state.sent
        }
    }

    func meet(_ request: WireRequest) -> (Fault?, (@Sendable () async throws -> Void)?) {
        state.withLock { state in
            state.requests.append(request.path)
            state.sent += request.body.count
            var action: (@Sendable () async throws -> Void)?
            if let index = state.before.firstIndex(where: { request.path.hasPrefix($0.path) }) {
                action = state.before.remove(at: index).action
            }
            guard
                let index = state.faults.firstIndex(where: { request.path.hasPrefix($0.path) })
            else { return (nil, action) }
            return (state.faults.remove(at: index).fault, action)
        }
    }
}

/// Carries requests straight into a server's handlers.
struct InProcessConnection: ServerConnection {
    let server: TestServer
    let faults: WireFaults

    func send(_ request: WireRequest) async throws -> WireResponse {
        let (fault, action) = faults.meet(request)
        try await action?()
        if case .lost = fault { throw LockbookError.offline(server: "test", reason: "lost") }
        if let answer = try faults.refused(request) { return answer }
        try faults.carry(request)
        let answer = try await server.answer(request)
        try faults.carry(answer)
        if case .answerLost = fault {
            throw LockbookError.offline(server: "test", reason: "the answer was lost")
        }
        return try faults.said(answer, to: request.path)
    }

    func close() async {}
}
