import Dispatch
import Glibc
import Synchronization

/// Maps on all cores and keeps the order; for items that each take longer than to be handed over.
///
/// On one, where there are too few descriptors for threads.
///
/// - Throws: what the transform throws, for the first item that fails as far as is known.
func concurrentMap<Item: Sendable, Output: Sendable>(
    _ items: [Item],
    _ transform: @Sendable (Item) throws -> Output
) throws -> [Output] {
    let cores = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
    // Several pieces a core, so that none waits long for a piece with large items.
    let size = max(1, items.count / (cores * 8))
    let count = (items.count + size - 1) / size
    guard cores > 1, count > 1, OpenFiles.allowThreads else { return try items.map(transform) }
    let pieces = Mutex([Int: Result<[Output], any Error>]())
    DispatchQueue.concurrentPerform(iterations: count) { index in
        let range = index * size..<min(items.count, (index + 1) * size)
        let piece = Result { try items[range].map(transform) }
        pieces.withLock { $0[index] = piece }
    }
    let done = pieces.withLock { $0 }
    var outputs: [Output] = []
    outputs.reserveCapacity(items.count)
    for index in 0..<count {
        if let piece = done[index] { outputs.append(contentsOf: try piece.get()) }
    }
    return outputs
}
