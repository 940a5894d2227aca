import HTTPTypes
import Hummingbird
import LockbookAPI
import LockbookCrypto
import NIOCore

/// Reads the body of one request from the network, once.
struct BodyReader {
    private let body: RequestBody
    private let announced: Int?
    private let budget: BodyBudget
    private var isBegun = false
    private var taken: (byteCount: Int, account: VerifyingKey)?
    private(set) var isAtEnd = false

    init(_ request: Request, _ budget: BodyBudget) {
        self.budget = budget
        body = request.body
        announced = Self.announced(by: request.headers)
    }

    /// How long a body is that comes with these fields; nil where they do not say.
    static func announced(by fields: HTTPFields) -> Int? {
        fields[.contentLength].flatMap { Int($0) }
    }

    /// Reads the body; `giveBack` is called when the request was answered.
    mutating func collect(
        upTo limit: Int,
        from account: VerifyingKey
    ) async throws -> ByteBuffer {
        guard announced ?? 0 <= limit else { throw Self.tooLarge }
        // Of unknown length: as much as may come.
        let wanted = announced ?? limit
        if wanted > BodyBudget.smallByteCount {
            try await budget.take(wanted, for: account)
            taken = (wanted, account)
        }
        isBegun = true
        // One allocation when the length is known: growing would double what a segment takes.
        var collected = ByteBufferAllocator().buffer(capacity: announced ?? 0)
        var pace = BodyPace()
        do {
            for try await var part in body {
                guard pace.keepsUp(part.readableBytes) else { throw Self.tooSlow }
                guard collected.readableBytes + part.readableBytes <= limit else {
                    throw Self.tooLarge
                }
                collected.writeBuffer(&part)
            }
        } catch let failure where !(failure is Refusal || failure is CancellationError) {
            // Nothing of this server's takes part in it.
            throw Self.broken
        }
        isAtEnd = true
        return collected
    }

    /// Ends what `collect` holds of the budget.
    mutating func giveBack() async {
        guard let held = taken else { return }
        taken = nil
        await budget.giveBack(held.byteCount, of: held.account)
    }

    /// Reads a body that was refused unread, so that its sender comes to read the answer.
    mutating func discard() async throws {
        guard !isBegun, announced ?? 0 <= Wire.maximumBodyByteCount else { return }
        isBegun = true
        var byteCount = 0
        var pace = BodyPace()
        for try await part in body {
            byteCount += part.readableBytes
            guard byteCount <= Wire.maximumBodyByteCount, pace.keepsUp(part.readableBytes) else {
                return
            }
        }
        isAtEnd = true
    }

    private static let broken = Refusal(
        .malformed,
        "the body breaks off, or is not framed as HTTP asks"
    )
    /// Nothing is wrong with what was sent: it may get through the next time.
    static let tooSlow = Refusal(.unavailable, "the body comes too slowly")
    private static let tooLarge = Refusal(.tooLarge, "the body is larger than this path takes")
}
