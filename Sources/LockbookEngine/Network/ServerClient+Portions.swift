import LockbookAPI
import SwiftProtobuf

/// Every request can be repeated without effect, so what broke off is sent again.
extension ServerClient {
    /// Asks, and asks again when the connection breaks off.
    nonisolated func ask<Answer: Message & Sendable>(
        _ endpoint: Endpoint,
        _ message: some Message & Sendable
    ) async throws -> Answer {
        try await inPortions(of: 0) { _ in
            Portion(message)
        } exchange: { message in
            try await askOnce(endpoint, message)
        }
    }

    /// Sends or asks for as much at once as the link carries, and for less after it broke off.
    /// - Parameters:
    ///   - most: bytes of what there is to send or to ask for.
    ///   - next: makes a portion of about so many bytes.
    ///   - exchange: carries one, once.
    /// - Returns: what came of the first portion that got through.
    /// - Throws: what broke off, where it is tried no more.
    nonisolated func inPortions<Content, Answer>(
        of most: Int,
        _ next: (Int) async throws -> Portion<Content>,
        exchange: (Content) async throws -> Answer
    ) async throws -> Answer {
        while true {
            let byteCount = await portion(of: most)
            let part = try await next(byteCount)
            do {
                return try await exchange(part.content)
            } catch let broken as BrokenConnection {
                try await goOn(after: broken, carrying: part.byteCount, canSplit: part.canSplit)
            } catch let refused as TooLargeRequest {
                // As much again is never taken.
                guard part.canSplit, await halves(part.byteCount), refused.isTriedAgain else {
                    throw refused.failure
                }
            }
        }
    }

    private func portion(of byteCount: Int) -> Int { min(byteCount, link.byteCount ?? byteCount) }

    private func halves(_ byteCount: Int) -> Bool { link.halves(byteCount) }

    private func goOn(
        after broken: BrokenConnection,
        carrying byteCount: Int,
        canSplit: Bool
    ) throws {
        guard link.goesOn(after: broken, carrying: byteCount, canSplit: canSplit) else {
            throw broken.failure
        }
    }
}
