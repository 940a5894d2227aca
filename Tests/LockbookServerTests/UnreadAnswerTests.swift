import Foundation
import HTTPTypes
import LockbookAPI
import LockbookCrypto
import LockbookModel
import Logging
import NIOCore
import SwiftProtobuf
import Testing

@testable import LockbookServer

/// Answers that nobody reads, over real sockets.
///
/// The limits of time end what hangs: all tests run at once, and these wait for their turns among them.
@Suite(.serialized)
struct UnreadAnswerTests {
    private let server: TestServer
    private let ada: TestPerson
    /// Asks for more than a system keeps of one connection: 4 MiB.
    private let question: [UInt8]

    init() async throws {
        server = try TestServer()
        let ada = try await TestPerson.ada(at: server)
        var names = Lockbook_V1_BlobsRequest()
        for number in 0..<5 {
            let blob = [UInt8](repeating: UInt8(number), count: 1 << 20)
            try await ada.stage([], blobs: [blob], at: server)
            names.names.append(Data(BlobName(of: blob).hash.bytes))
        }
        question = try names.serializedBytes()
        self.ada = ada
    }

    /// Runs the server behind a socket as long as `body` takes, which is given its port.
    private func serving(
        patience: TimeAmount,
        longest: TimeAmount = .hours(1),
        answerByteCount: Int = 512 << 20,
        _ body: (UInt16) async throws -> Void
    ) async throws {
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        let address = try #require(ListenAddress("127.0.0.1:0"))
        let application = ServerApplication(
            server.server,
            listeningOn: address,
            tls: nil,
            logger: logger,
            patience: patience,
            longest: longest,
            answerByteCount: answerByteCount
        )
        let (urls, announce) = AsyncStream<String>.makeStream()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await application.run { url in announce.yield(url) } }
            let url = try #require(await urls.first { _ in true })
            let port = try #require(url.split(separator: ":").last.flatMap { UInt16($0) })
            try await body(port)
            group.cancelAll()
        }
    }

    private func ask(_ port: UInt16) throws -> UnreadConnection {
        let path = Endpoint.blobs.path
        let request = try ada.request(path, body: question, at: server.clock.now)
        return try UnreadConnection(sending: request, question, to: port)
    }

    private func waitFor(waiting: Int, sending: Int) async throws {
        let turns = server.server.accountTurns
        while turns.counts(of: ada.account) != (waiting, sending) {
            try Task.checkCancellation()
            await Task.yield()
        }
    }

    /// Asks, and reads nothing until the server has given up.
    private func expectCutOff(_ port: UInt16) async throws {
        let connection = try ask(port)
        // From before its first byte its account has a turn.
        try await connection.waitForAnswer()
        try await waitFor(waiting: 0, sending: 0)
        let answer = try await connection.readToEnd(byteCount: 5 << 20)
        #expect(answer.count < 5 << 20)
    }

    @Test(.timeLimit(.minutes(60)))
    func `who reads nothing is given so many answers, and nobody else waits`() async throws {
        try await serving(patience: .hours(1)) { port in
            let turns = server.server.accountTurns
            let path = Endpoint.blobs.path
            let whole = try await ada.raw(.post, path, body: question, of: server)
            let more = 3
            let connections = try (0..<AccountTurns.sending + AccountTurns.running + more)
                .map { _ in try ask(port) }
            try await waitFor(waiting: more, sending: AccountTurns.sending)
            var bob = try TestPerson("bob", seed: 2)
            try await bob.register(at: server)
            #expect(try await bob.pull(after: bob.head, from: server).entries.isEmpty)
            #expect(turns.counts(of: ada.account) == (more, AccountTurns.sending))

            // They were only late: all of them come when they are read.
            let answers = try await UnreadConnection.readToEnd(connections, byteCount: whole.count)
            for answer in answers {
                // Of two that differ, millions of bytes long, a difference would be made for the report.
                let isWhole = answer.suffix(whole.count) == whole[...]
                #expect(isWhole)
            }
            try await waitFor(waiting: 0, sending: 0)
        }
    }

    @Test(.timeLimit(.minutes(60)))
    func `a connection whose many small answers are not read is closed`() async throws {
        try await serving(patience: .milliseconds(50)) { port in
            let health = HTTPRequest(
                method: .get,
                scheme: "http",
                authority: "127.0.0.1",
                path: Endpoint.health.path
            )
            let connection = try UnreadConnection(sending: health, [], to: port)
            try await connection.sendUntilClosed()
        }
    }

    /// Whoever may ask could fill the log with failures, else.
    @Test(.timeLimit(.minutes(60)))
    func `a body that is not framed as it says is its sender's fault`() async throws {
        try await serving(patience: .hours(1)) { port in
            let path = Endpoint.blobs.path
            let request = try ada.request(path, body: question, at: server.clock.now)
            let head = UnreadConnection.head(of: request, framing: "Transfer-Encoding: chunked")
            let bytes = Array((head + "no number\r\n").utf8)
            let connection = try UnreadConnection(sending: bytes, to: port)
            let answer = try await connection.readToEnd(byteCount: 0)
            #expect(String(decoding: answer, as: UTF8.self).hasPrefix("HTTP/1.1 400 "))
        }
    }

    @Test(.timeLimit(.minutes(60)))
    func `a connection on which nothing is read is closed`() async throws {
        try await serving(patience: .milliseconds(50)) { try await expectCutOff($0) }
    }

    /// A piece now and then would be enough, else, to keep an answer in memory for hours.
    @Test(.timeLimit(.minutes(60)))
    func `an answer that takes too long is not sent to its end`() async throws {
        try await serving(patience: .hours(1), longest: .milliseconds(50)) {
            try await expectCutOff($0)
        }
    }

    @Test(.timeLimit(.minutes(60)))
    func `where too many answers are in memory the oldest one ends`() async throws {
        try await serving(patience: .hours(1), answerByteCount: 8 << 20) { port in
            let first = try ask(port)
            try await first.waitForAnswer()
            let path = Endpoint.blobs.path
            let whole = try await ada.raw(.post, path, body: question, of: server)
            let second = try ask(port)
            let answer = try await second.readToEnd(byteCount: whole.count)
            let isWhole = answer.suffix(whole.count) == whole[...]
            #expect(isWhole)
            #expect(try await first.readToEnd(byteCount: whole.count).count < whole.count)
        }
    }
}

/// A connection on which something was asked, and that is not read until it is told to.
private final class UnreadConnection: Sendable {
    private let descriptor: Int32
    private let request: [UInt8]

    convenience init(sending request: HTTPRequest, _ body: [UInt8], to port: UInt16) throws {
        let head = Self.head(of: request, framing: "Content-Length: \(body.count)")
        try self.init(sending: Array(head.utf8) + body, to: port)
    }

    /// What goes ahead of the body.
    static func head(of request: HTTPRequest, framing: String) -> String {
        var head = "\(request.method.rawValue) \(request.path ?? "/") HTTP/1.1\r\n"
        head += "Host: \(request.authority ?? "")\r\n"
        for field in request.headerFields { head += "\(field.name): \(field.value)\r\n" }
        return head + framing + "\r\n\r\n"
    }

    init(sending request: [UInt8], to port: UInt16) throws {
        self.request = request
        // Programs that other tests start meanwhile have their own files to count.
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        try #require(descriptor >= 0)
        // Else the system takes in more of the answer.
        var room: Int32 = 4_096
        let size = socklen_t(MemoryLayout.size(ofValue: room))
        try #require(setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &room, size) == 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let isConnected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        try #require(isConnected)
        try #require(send(descriptor, self.request, self.request.count, 0) == self.request.count)
    }

    deinit { close(descriptor) }

    /// Asks the same again and again until the connection ends.
    func sendUntilClosed() async throws {
        try await onOwnThread { [descriptor, request] in
            let many = Array(repeatElement(request, count: 100).joined())
            while send(descriptor, many, many.count, Int32(MSG_NOSIGNAL)) > 0 {}
        }
    }

    /// Waits for the first byte, and leaves it.
    func waitForAnswer() async throws {
        try await onOwnThread { [descriptor] in
            var byte: UInt8 = 0
            _ = recv(descriptor, &byte, 1, Int32(MSG_PEEK))
        }
    }

    /// All that comes, until the fields and a body of `byteCount` came or the connection ends.
    func readToEnd(byteCount: Int) async throws -> [UInt8] {
        try await Self.readToEnd([self], byteCount: byteCount)[0]
    }

    /// All that comes on each of some connections, in whatever order it comes: the answer of one may wait
    /// until another one's is read.
    static func readToEnd(_ connections: [UnreadConnection], byteCount: Int) async throws
        -> [[UInt8]]
    {
        // The server needs the threads that tasks have.
        try await onOwnThread {
            var answers = connections.map { _ in Answer(byteCount: byteCount) }
            var waiting = connections.map {
                pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0)
            }
            while waiting.contains(where: { $0.fd >= 0 }) {
                try #require(poll(&waiting, nfds_t(waiting.count), -1) > 0 || errno == EINTR)
                for index in waiting.indices where waiting[index].revents != 0 {
                    if answers[index].isEnded(afterReading: waiting[index].fd) {
                        // What is below zero, poll passes over.
                        waiting[index].fd = -1
                    }
                    waiting[index].revents = 0
                }
            }
            return answers.map(\.bytes)
        }
    }

    private struct Answer {
        let byteCount: Int
        var bytes: [UInt8] = []
        /// Nil before the fields are whole.
        private var end: Int?

        init(byteCount: Int) {
            self.byteCount = byteCount
        }

        /// Takes what is there.
        mutating func isEnded(afterReading descriptor: Int32) -> Bool {
            var buffer = [UInt8](repeating: 0, count: 256 << 10)
            let count = recv(descriptor, &buffer, buffer.count, 0)
            guard count > 0 else { return true }
            bytes.append(contentsOf: buffer[..<count])
            if end == nil, let head = Data(bytes).range(of: Data("\r\n\r\n".utf8)) {
                end = head.upperBound + byteCount
            }
            return end.map { bytes.count >= $0 } ?? false
        }
    }
}
