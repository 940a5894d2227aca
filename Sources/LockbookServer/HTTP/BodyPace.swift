import NIOCore

/// How fast a body comes: a byte now and then would hold a place that somebody else needs.
///
/// A connection on which nothing comes at all is closed by the server's own limit.
struct BodyPace {
    /// Within each window so many bytes have to come: 1 KiB a second, which every line has.
    static let window = TimeAmount.seconds(30)
    static let byteCount = 30 << 10

    private var began: NIODeadline
    private var bytes = 0

    init(from now: NIODeadline = .now()) { began = now }

    /// - Parameter count: how many bytes have come now.
    mutating func keepsUp(_ count: Int, at now: NIODeadline = .now()) -> Bool {
        bytes += count
        guard now - began >= Self.window else { return true }
        defer { (began, bytes) = (now, 0) }
        return bytes >= Self.byteCount
    }
}
