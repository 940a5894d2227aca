import LockbookCrypto
import LockbookModel

/// A text, and what two devices made of it apart.
protocol DrawnTexts {
    var base: [UInt8] { get }
    var local: [UInt8] { get }
    var remote: [UInt8] { get }
}

/// Gathers results in bytes and tells them apart by a short text.
///
/// Two devices that merge the same have to get the same, also when one of them has a version of the
/// program from years ago. So what merges give is pinned: a pin that changes says that they would
/// not, and is only written anew when that is meant.
struct Pin {
    static let labels = MergeLabels(local: "alice on laptop", remote: "bob on phone")

    private var bytes: [UInt8] = []

    mutating func add(_ part: [UInt8]) {
        add(part.count)
        bytes += part
    }

    mutating func add(_ text: String) {
        add(Array(text.utf8))
    }

    mutating func add(_ number: Int) {
        withUnsafeBytes(of: Int64(number).littleEndian) { bytes += $0 }
    }

    mutating func add(_ flag: Bool) {
        bytes.append(flag ? 1 : 0)
    }

    mutating func add(_ flags: [Bool]) {
        add(flags.map { $0 ? 1 : 0 } as [UInt8])
    }

    /// What merges give of short, longer and long texts in turn, one for each seed.
    mutating func addMerges(
        seeds: UInt64,
        lengths: [Int],
        fileExtension: String,
        _ draw: (_ seed: UInt64, _ length: Int) -> some DrawnTexts
    ) {
        for seed in 0..<seeds {
            let drawn = draw(seed, lengths[Int(seed) % lengths.count])
            add(
                TextMerge.merge(
                    base: drawn.base,
                    local: drawn.local,
                    remote: drawn.remote,
                    labels: Self.labels,
                    fileExtension: fileExtension
                )
            )
        }
    }

    mutating func add(_ outcome: TextMergeOutcome) {
        switch outcome {
        case .notText: add(-1)
        case .merged(let bytes, let conflicts):
            add(conflicts)
            add(bytes)
        }
    }

    /// What is repeated in a text, and how often; nil when it does not parse.
    mutating func add(_ repeated: [[UInt8]: Int]?) {
        guard let repeated else { return add(-1) }
        for (key, count) in repeated.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
            add(key)
            add(count)
        }
    }

    /// The first eight bytes of the hash of all that was added, in hexadecimal digits.
    var text: String {
        Hash256(sha256: bytes).bytes.prefix(8).map { byte in
            (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }.joined()
    }
}
