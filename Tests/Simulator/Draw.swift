import LockbookCrypto
import Synchronization

/// A stream of numbers that a seed decides: SplitMix64 (Steele, Lea, Flood 2014).
package struct Draw: RandomNumberGenerator, Sendable {
    private var state: UInt64

    package init(_ seed: UInt64) {
        state = seed
    }

    /// A stream of its own for each list of numbers.
    package init(_ seed: UInt64, _ parts: UInt64...) {
        var mixed = Draw(seed)
        var state = mixed.next()
        for part in parts {
            var next = Draw(state ^ part)
            state = next.next()
        }
        self.state = state
    }

    package mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }

    /// A number from 0 up to, but not including, the count.
    mutating func below(_ count: Int) -> Int {
        Int(truncatingIfNeeded: next() >> 1) % max(1, count)
    }

    /// True once in so many times.
    mutating func once(in count: Int) -> Bool {
        below(count) == 0
    }

    mutating func pick<Items: RandomAccessCollection>(_ items: Items) -> Items.Element? {
        guard !items.isEmpty else { return nil }
        return items[items.index(items.startIndex, offsetBy: below(items.count))]
    }

    /// One of these, each as often as its weight says.
    mutating func weighted<Item>(_ items: [(weight: Int, item: Item)]) -> Item {
        var left = below(items.reduce(0) { $0 + $1.weight })
        for (weight, item) in items {
            if left < weight { return item }
            left -= weight
        }
        return items[0].item
    }
}

/// Random bytes for one device, begun anew at every event, so that an event that is left out does
/// not change what the others draw.
final class SeededBytes: Sendable {
    private let draw = Mutex(Draw(0))

    func restart(_ draw: Draw) {
        self.draw.withLock { $0 = draw }
    }

    var source: RandomSource {
        RandomSource { count in
            self.draw.withLock { draw in
                var bytes: [UInt8] = []
                bytes.reserveCapacity(count + 8)
                while bytes.count < count {
                    withUnsafeBytes(of: draw.next()) { bytes.append(contentsOf: $0) }
                }
                return Array(bytes.prefix(count))
            }
        }
    }
}

/// The time of one world; it passes when an event says so.
final class SimulatedClock: Sendable {
    private let milliseconds: Mutex<Int64>

    init(milliseconds: Int64) {
        self.milliseconds = Mutex(milliseconds)
    }

    var now: Int64 { milliseconds.withLock { $0 } }

    func advance(by count: Int64) {
        milliseconds.withLock { $0 += count }
    }
}

/// How far a device's clock is from the world's.
final class ClockError: Sendable {
    private let milliseconds = Mutex<Int64>(0)

    var value: Int64 {
        get { milliseconds.withLock { $0 } }
        set { milliseconds.withLock { $0 = newValue } }
    }
}
