import CLinux
import Dispatch
import Glibc
import Synchronization

/// Maps on all cores and keeps the order; for items that each take longer than to be handed over.
///
/// - Throws: what the transform throws, for the first item that fails as far as is known.
func concurrentMap<Item: Sendable, Output: Sendable>(
    _ items: [Item],
    _ transform: @escaping @Sendable (Item) throws -> Output
) throws -> [Output] {
    guard items.count > 1 else { return try items.map(transform) }
    return try ConcurrentMap.begun(items, transform).outputs()
}

/// Maps so many stretches of items on all cores and keeps the order, for what goes quicker behind what
/// stands before it.
func concurrentMap<Item: Sendable, Output: Sendable>(
    stretches count: Int,
    of items: [Item],
    _ transform: @escaping @Sendable (ArraySlice<Item>) throws -> [Output]
) throws -> [Output] {
    let size = max(1, (items.count + count - 1) / count)
    let starts = Array(stride(from: 0, to: items.count, by: size))
    return try concurrentMap(starts) { start in
        try transform(items[start..<min(items.count, start + size)])
    }.flatMap { $0 }
}

/// Maps items on all cores while more of them are found, and keeps the order.
///
/// On one, where there are too few threads, or descriptors for them.
final class ConcurrentMap<Item: Sendable, Output: Sendable>: Sendable {
    private struct State {
        var unclaimed = 0
        var pieces: [[Item]] = []
        var done: [Int: Result<[Output], any Error>] = [:]
        /// Whether somebody waits for the pieces that others began.
        var isAwaited = false
    }

    /// Those that this process may run on.
    static var coreCount: Int {
        var mask = [UInt8](repeating: 0, count: 1_024 / 8)
        guard sched_getaffinity(0, mask.count, &mask) == 0 else {
            return max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
        }
        return mask.reduce(0) { $0 + $1.nonzeroBitCount }
    }

    private let pieceSize: Int
    private let transform: @Sendable (Item) throws -> Output
    private let hasThreads = coreCount > 1 && OpenFiles.allowThreads
    /// Signalled when the last piece that is awaited is done.
    private let ended = DispatchSemaphore(value: 0)
    private let state = Mutex(State())
    /// What is no whole piece yet.
    private let last = Mutex<[Item]>([])

    /// - Parameter pieceSize: how many items one core takes at a time.
    init(pieceSize: Int, _ transform: @escaping @Sendable (Item) throws -> Output) {
        self.pieceSize = pieceSize
        self.transform = transform
    }

    /// Begins with these, while this thread does something else.
    static func begun(
        _ items: [Item],
        _ transform: @escaping @Sendable (Item) throws -> Output
    ) -> ConcurrentMap {
        // Several pieces a core, so that none waits long for a piece with large items.
        let size = max(1, items.count / (coreCount * 8))
        let map = ConcurrentMap(pieceSize: size, transform)
        for start in stride(from: 0, to: items.count, by: size) {
            map.submit(Array(items[start..<min(items.count, start + size)]))
        }
        return map
    }

    func append(_ item: Item) {
        let piece = last.withLock { last -> [Item]? in
            last.append(item)
            guard last.count >= pieceSize else { return nil }
            defer {
                last = []
                last.reserveCapacity(pieceSize)
            }
            return last
        }
        if let piece { submit(piece) }
    }

    /// What became of all items, in the order in which they came.
    ///
    /// - Throws: what the transform throws, for the first item that fails as far as is known.
    func outputs() throws -> [Output] {
        let rest = last.withLock { $0 }
        if !rest.isEmpty { state.withLock { $0.pieces.append(rest) } }
        // This thread does its share, and then only what others began is missing: nobody waits for what
        // was handed to a queue whose threads may all be waiting, too.
        while work() {}
        let isWaiting = state.withLock { state in
            state.isAwaited = state.done.count < state.pieces.count
            return state.isAwaited
        }
        if isWaiting { ended.wait() }
        let (count, done) = state.withLock { ($0.pieces.count, $0.done) }
        var outputs: [Output] = []
        outputs.reserveCapacity(count * pieceSize)
        for index in 0..<count {
            if let piece = done[index] { outputs.append(contentsOf: try piece.get()) }
        }
        return outputs
    }

    private func submit(_ piece: [Item]) {
        state.withLock { $0.pieces.append(piece) }
        guard hasThreads else { return }
        DispatchQueue.global(qos: .userInitiated).async { _ = self.work() }
    }

    /// Does one piece that nobody began.
    /// - Returns: false when there was none.
    private func work() -> Bool {
        let claimed = state.withLock { state -> (index: Int, items: [Item])? in
            guard state.unclaimed < state.pieces.count else { return nil }
            defer { state.unclaimed += 1 }
            return (state.unclaimed, state.pieces[state.unclaimed])
        }
        guard let claimed else { return false }
        let piece = Result { try claimed.items.map(transform) }
        let isLast = state.withLock { state in
            state.done[claimed.index] = piece
            return state.isAwaited && state.done.count == state.pieces.count
        }
        if isLast { ended.signal() }
        return true
    }
}
