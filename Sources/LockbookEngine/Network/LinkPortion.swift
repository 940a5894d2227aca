import LockbookAPI

/// A connection that ended within an exchange, and not because the server is away.
///
/// A body was on its way then, or the connection had carried other exchanges before.
package struct BrokenConnection: Error, Equatable {
    /// What that is where it is not tried again.
    package let failure: LockbookError
    /// Whether it had carried nothing before: as much at once would break off again.
    package let isFresh: Bool

    package init(failure: LockbookError, isFresh: Bool) {
        self.failure = failure
        self.isFresh = isFresh
    }
}

/// A connection without TLS that ended before anything was answered.
package struct UnansweredConnection: Error, Equatable {
    package let server: String

    package init(server: String) { self.server = server }

    /// - Parameter isKnown: whether it has answered at this address before, so that it is not one with
    ///   TLS, which has nothing else to say to who comes without.
    func failure(isKnown: Bool) -> LockbookError {
        let closed = "the connection was closed"
        return .offline(server: server, reason: isKnown ? closed : closed + "; is it https?")
    }
}

/// What stands in front of a server took no request of this size, which did not get to it then, or the
/// link took too long for a request and its answer.
struct TooLargeRequest: Error {
    /// What that is where less cannot be sent.
    let failure: LockbookError
    /// Whether less is sent at once, and not by the next sync: nobody waits that often for a server
    /// that says nothing.
    var isTriedAgain = true
}

/// What one request or one answer is to carry.
struct Portion<Content> {
    let content: Content
    /// As far as they can be fewer.
    let byteCount: Int
    /// Whether less can be sent or asked for at all.
    let canSplit: Bool

    init(_ content: Content, byteCount: Int = 0, canSplit: Bool = false) {
        self.content = content
        self.byteCount = byteCount
        self.canSplit = canSplit
    }
}

/// How much one request or one answer is to carry, over a link that breaks off what is more.
struct LinkPortion: Sendable {
    /// What still has a chance on a link that carries anything, and is not all overhead.
    static let leastByteCount = 64 << 10
    /// How often in a row what cannot be made smaller is tried again.
    private static let mostRepeats = 3
    /// After how many portions that got through twice as much is tried.
    private static let leastPatience = 4

    /// Nil as long as nothing broke off.
    private(set) var byteCount: Int?
    private var repeats = 0
    /// Portions of this size that got through.
    private var carried = 0
    /// After how many of them it grows: after more each time that this was in vain.
    private var patience = leastPatience
    private var hasGrown = false

    /// - Parameter remembered: what an earlier one kept; whatever else it is does no harm.
    init(remembered: Int64 = 0) {
        guard remembered > 0, remembered < Wire.batchByteCount else { return }
        byteCount = max(Self.leastByteCount, Int(remembered))
    }

    /// What the next sync is to begin with; 0 where nothing is made smaller.
    var remembered: Int64 { Int64(byteCount ?? 0) }

    /// Doubles what got through often enough; a link is not narrow for ever.
    /// - Parameter count: bytes of the request or of its answer; small ones say nothing.
    mutating func gotThrough(_ count: Int) {
        repeats = 0
        guard let most = byteCount, count > most / 2 else { return }
        carried += 1
        guard carried >= patience else { return }
        byteCount = most < Wire.batchByteCount / 2 ? most * 2 : nil
        (carried, hasGrown) = (0, true)
    }

    /// Halves what broke off, where that helps; else counts how often it was in vain.
    ///
    /// A connection that had carried other exchanges says nothing of what a new one carries.
    /// - Parameters:
    ///   - count: bytes of what broke off, as far as they can be fewer.
    ///   - canSplit: whether less can be sent or asked for at all.
    /// - Returns: whether to try again.
    mutating func goesOn(
        after broken: BrokenConnection,
        carrying count: Int,
        canSplit: Bool
    ) -> Bool {
        if broken.isFresh, canSplit, halves(count) { return true }
        repeats += 1
        return repeats <= Self.mostRepeats
    }

    /// Halves what is too much at once.
    /// - Parameter count: its bytes, as far as they can be fewer.
    /// - Returns: whether that is less.
    mutating func halves(_ count: Int) -> Bool {
        let most = min(byteCount ?? count, count)
        let less = max(Self.leastByteCount, most / 2)
        guard less < most else { return false }
        byteCount = less
        if hasGrown { patience *= 2 }
        (carried, hasGrown) = (0, false)
        return true
    }
}
