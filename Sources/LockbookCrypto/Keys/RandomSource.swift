import Crypto

/// Where random bytes come from: the system, or in simulations a seeded stream.
package struct RandomSource: Sendable {
    package let bytes: @Sendable (_ count: Int) -> [UInt8]

    package init(bytes: @escaping @Sendable (_ count: Int) -> [UInt8]) {
        self.bytes = bytes
    }

    /// The cryptographic library's generator, which the kernel's seeds.
    package static let system = RandomSource { count in
        SymmetricKey(size: SymmetricKeySize(bitCount: count * 8)).withUnsafeBytes { Array($0) }
    }
}
