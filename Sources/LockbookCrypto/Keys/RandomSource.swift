import Glibc

/// Where random bytes come from: the system, or in simulations a seeded stream.
package struct RandomSource: Sendable {
    package let bytes: @Sendable (_ count: Int) -> [UInt8]

    package init(bytes: @escaping @Sendable (_ count: Int) -> [UInt8]) {
        self.bytes = bytes
    }

    /// The kernel's generator, in one call for up to 256 bytes, which is all that it gives at once.
    package static let system = RandomSource { count in
        [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while filled < count {
                let wanted = min(256, count - filled)
                // Fails in no way that waiting would mend, and nothing may go on without randomness.
                let status = getentropy(buffer.baseAddress.map { $0 + filled }, wanted)
                precondition(status == 0, "the kernel gives no random bytes")
                filled += wanted
            }
        }
    }
}
