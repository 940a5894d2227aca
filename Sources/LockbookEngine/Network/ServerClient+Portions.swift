import LockbookAPI
import LockbookCrypto
import SwiftProtobuf

/// Every request can be repeated without effect, so what broke off is sent again.
extension ServerClient {
    /// Asks, and asks again when the connection breaks off.
    func ask<Answer: Message & Sendable>(_ endpoint: Endpoint, _ message: some Message & Sendable)
        async throws -> Answer
    {
        while true {
            do {
                return try await askOnce(endpoint, message)
            } catch let broken as BrokenConnection {
                try goOn(after: broken)
            }
        }
    }

    /// Whether to try again, with less where that can be.
    /// - Parameters:
    ///   - byteCount: of what broke off, as far as they can be fewer.
    ///   - canSplit: whether less can be sent or asked for at all.
    /// - Throws: what broke off, where it is tried no more.
    func goOn(
        after broken: BrokenConnection,
        carrying byteCount: Int = 0,
        canSplit: Bool = false
    ) throws {
        guard link.goesOn(after: broken, carrying: byteCount, canSplit: canSplit) else {
            throw broken.failure
        }
    }

    /// How much of so many bytes is to be sent or asked for at once.
    func portion(of byteCount: Int) -> Int { min(byteCount, link.byteCount ?? byteCount) }

    /// How many segments of a large blob are.
    var segmentCount: Int {
        max(1, portion(of: Wire.segmentsPerRequest << 20) / ContentFormat.segmentByteCount)
    }
}
