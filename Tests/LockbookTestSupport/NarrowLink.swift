import LockbookEngine

/// A link whose connections break off after so many bytes of bodies, one after the other.
struct NarrowLink: Sendable {
    private let mostSent: Int
    private let mostReceived: Int
    private var sent = 0
    private var received = 0
    private var isUsed = false

    init(sending mostSent: Int?, receiving mostReceived: Int?) {
        self.mostSent = mostSent ?? .max
        self.mostReceived = mostReceived ?? .max
    }

    mutating func send(_ count: Int) throws {
        sent += count
        if sent > mostSent { throw broken() }
    }

    mutating func receive(_ count: Int) throws {
        received += count
        if received > mostReceived { throw broken() }
        isUsed = true
    }

    /// The next exchange takes a new connection.
    private mutating func broken() -> BrokenConnection {
        defer { (sent, received, isUsed) = (0, 0, false) }
        return BrokenConnection(
            failure: .offline(server: "test", reason: "the connection was closed"),
            isFresh: !isUsed
        )
    }
}
