import FoundationEssentials
import LockbookCrypto
import LockbookModel
import Synchronization

/// Sealed records that travel to the server while others are still being sealed.
///
/// Only what gets there meanwhile: what is left when all are sealed goes with the push, in one request
/// for most. No server lists them before the push does.
final class RecordsAhead: Sendable {
    struct Batch: Sendable {
        var records: [Data] = []
        var hashes: [Hash256] = []
    }

    private struct State {
        var batch = Batch()
        var byteCount = 0
        var isEnded = false
    }

    /// Some 8 MiB.
    private static let mostWaiting = 16

    /// The batches to be sent, as they become full; what comes while too many wait is left out.
    let batches: AsyncStream<Batch>
    private let waiting: AsyncStream<Batch>.Continuation
    private let batchByteCount: Int
    private let state = Mutex(State())

    /// - Parameter batchByteCount: how many bytes travel together, at least.
    init(batchByteCount: Int) {
        self.batchByteCount = batchByteCount
        (batches, waiting) = AsyncStream.makeStream(
            bufferingPolicy: .bufferingOldest(Self.mostWaiting)
        )
    }

    /// Whether all are sealed.
    var isEnded: Bool { state.withLock { $0.isEnded } }

    /// Takes a record, on any thread.
    func add(_ record: FileRecord, _ hash: Hash256) {
        let full = state.withLock { state -> Batch? in
            state.batch.records.append(Data(record.bytes))
            state.batch.hashes.append(hash)
            state.byteCount += record.bytes.count
            guard state.byteCount >= batchByteCount else { return nil }
            defer { (state.batch, state.byteCount) = (Batch(), 0) }
            return state.batch
        }
        if let full { waiting.yield(full) }
    }

    /// No record comes any more.
    func end() {
        state.withLock { $0.isEnded = true }
        waiting.finish()
    }
}

extension Sync {
    /// Sends records until all are sealed.
    /// - Returns: the hashes of those that the server has, or what broke the connection. Why the server
    ///   will not have them it says once more where the push sends them.
    func send(_ ahead: RecordsAhead) async -> Result<Set<Hash256>, any Error> {
        var sent: Set<Hash256> = []
        do {
            for await batch in ahead.batches where !ahead.isEnded {
                try await sendAhead(PushPlan.Batch(records: batch.records), for: foreignLog)
                sent.formUnion(batch.hashes)
            }
        } catch {
            guard error.refusal != nil else { return .failure(error) }
        }
        return .success(sent)
    }
}
