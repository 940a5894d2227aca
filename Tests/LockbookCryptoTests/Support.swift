import LockbookCrypto
import SecondImplementation
import Synchronization

extension RandomSource {
    /// The same bytes for the same seed.
    static func seeded(_ seed: UInt64) -> RandomSource {
        let generator = Generator(seed)
        return RandomSource { generator.bytes($0) }
    }

    private final class Generator: Sendable {
        private let state: Mutex<SeededGenerator>

        init(_ seed: UInt64) { state = Mutex(SeededGenerator(seed)) }

        func bytes(_ count: Int) -> Bytes { state.withLock { $0.bytes(count) } }
    }
}

/// A plausible text: it compresses, but not to nothing.
func text(_ count: Int, seed: UInt64 = 1) -> Bytes {
    var generator = SeededGenerator(seed)
    let words = ["meadow ", "lantern ", "of ", "the ", "river ", "and\n", "quietly ", "42 "]
    var bytes: Bytes = []
    bytes.reserveCapacity(count + 8)
    while bytes.count < count { bytes += words.randomElement(using: &generator)?.utf8 ?? "".utf8 }
    return Bytes(bytes.prefix(count))
}

func noise(_ count: Int, seed: UInt64 = 1) -> Bytes {
    var generator = SeededGenerator(seed)
    return generator.bytes(count)
}
