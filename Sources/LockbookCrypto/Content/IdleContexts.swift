import Synchronization

/// Contexts of a C library that are used again, because making them is dear.
final class IdleContexts: Sendable {
    /// More than run at once are not kept.
    private static let capacity = 8

    // Where they are: what nobody holds is no pointer that could be shared, only an address that
    // one owner at a time makes one of.
    private let addresses = Mutex<[UInt]>([])
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
        let address = addresses.withLock { $0.popLast() }
        if let pointer = address.flatMap({ OpaquePointer(bitPattern: $0) }) { return pointer }
        return try make()
    }

    fileprivate func giveBack(_ pointer: OpaquePointer) {
        guard reset(pointer) == 0 else { return free(pointer) }
        let address = UInt(bitPattern: pointer)
        let isKept = addresses.withLock { idle in
            guard idle.count < Self.capacity else { return false }
            idle.append(address)
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
