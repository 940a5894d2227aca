import NIOCore

/// How fast a body comes: a byte now and then would hold a place that somebody else needs.
///
/// A connection on which nothing comes at all is closed by the server's own limit.
struct BodyPace {
    /// Within each window so many bytes have to come: 1 KiB a second, which every line has.
    static let window = TimeAmount.seconds(30)
    static let byteCount = 30 << 10
    /// A client gives up then, and sends less at once: what comes later holds its place for nobody.
    static let longest = TimeAmount.minutes(10)

    private let start: NIODeadline
    private var began: NIODeadline
    private var bytes = 0

    init(from now: NIODeadline = .now()) { (start, began) = (now, now) }

    /// - Parameter count: how many bytes have come now.
    mutating func keepsUp(_ count: Int, at now: NIODeadline = .now()) -> Bool {
        guard now - start < Self.longest else { return false }
        bytes += count
        guard now - began >= Self.window else { return true }
        defer { (began, bytes) = (now, 0) }
        return bytes >= Self.byteCount
    }
}
