import Glibc
import Synchronization

/// A server on this machine that answers what it was told to, whatever is asked.
///
/// Each connection gets the next list of answers, one for each request, and is closed after the last.
/// Without any list it holds a port and does not listen.
final class CannedServer: Sendable {
    let port: Int
    /// How many connections were made, and requests read, so far.
    let counts = Mutex((connections: 0, requests: 0))

    private let listener: Int32

    init(_ connections: [[String]]?) throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, length) == 0 && getsockname(listener, $0, &length) == 0
                    && (connections == nil || listen(listener, 8) == 0)
            }
        }
        guard listener >= 0, isBound else { throw CannedServerFailure() }
        self.listener = listener
        port = Int(UInt16(bigEndian: address.sin_port))
        guard let connections else { return }
        var thread = pthread_t()
        let work = Unmanaged.passRetained(Work(server: self, connections: connections))
        pthread_create(
            &thread,
            nil,
            { argument in
                guard let argument else { return nil }
                Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().run()
                return nil
            },
            work.toOpaque()
        )
        pthread_detach(thread)
    }

    private final class Work: Sendable {
        let server: CannedServer
        let connections: [[String]]

        init(server: CannedServer, connections: [[String]]) {
            self.server = server
            self.connections = connections
        }

        func run() {
            for answers in connections {
                let connection = accept(server.listener, nil, nil)
                guard connection >= 0 else { break }
                server.counts.withLock { $0.connections += 1 }
                for answer in answers {
                    guard readRequest(connection) else { break }
                    server.counts.withLock { $0.requests += 1 }
                    let bytes = Array(answer.utf8)
                    _ = send(connection, bytes, bytes.count, Int32(MSG_NOSIGNAL))
                }
                close(connection)
            }
            close(server.listener)
        }

        /// Reads to the end of a request, by the length that it tells.
        private func readRequest(_ connection: Int32) -> Bool {
            var text = ""
            var buffer = [UInt8](repeating: 0, count: 65_536)
            while true {
                let count = read(connection, &buffer, buffer.count)
                guard count > 0 else { return false }
                text += String(decoding: buffer[..<count], as: UTF8.self)
                guard let end = text.firstRange(of: "\r\n\r\n") else { continue }
                let length =
                    text[..<end.lowerBound].split(separator: "\r\n")
                    .first { $0.lowercased().hasPrefix("content-length:") }
                    .flatMap { Int($0.split(separator: " ").last ?? "") } ?? 0
                if text[end.upperBound...].utf8.count >= length { return true }
            }
        }
    }
}

struct CannedServerFailure: Error {}
