import Synchronization

/// Contexts of a C library that are used again, because making them is dear.
final class IdleContexts: Sendable {
    /// A pointer that one owner at a time holds.
    struct Context: @unchecked Sendable {
        let pointer: OpaquePointer
    }

    /// More than run at once are not kept.
    private static let capacity = 8

    private let contexts = Mutex<[Context]>([])
    private let make: @Sendable () throws -> OpaquePointer
    private let reset: @Sendable (OpaquePointer) -> Int
    private let free: @Sendable (OpaquePointer) -> Void

    /// - Parameters:
    ///   - reset: makes a used context as good as new; returns 0 when that worked.
    init(
        make: @escaping @Sendable () throws -> OpaquePointer,
        reset: @escaping @Sendable (OpaquePointer) -> Int,
        free: @escaping @Sendable (OpaquePointer) -> Void
    ) {
        self.make = make
        self.reset = reset
        self.free = free
    }

    fileprivate func take() throws -> OpaquePointer {
        if let context = contexts.withLock({ $0.popLast() }) { return context.pointer }
        return try make()
    }

    fileprivate func giveBack(_ pointer: OpaquePointer) {
        guard reset(pointer) == 0 else { return free(pointer) }
        let context = Context(pointer: pointer)
        let isKept = contexts.withLock { idle in
            guard idle.count < Self.capacity else { return false }
            idle.append(context)
            return true
        }
        if !isKept { free(pointer) }
    }
}

/// A context for as long as this lives.
final class BorrowedContext {
    let pointer: OpaquePointer
    private let owner: IdleContexts

    init(from owner: IdleContexts) throws {
        self.owner = owner
        pointer = try owner.take()
    }

    deinit { owner.giveBack(pointer) }
}
