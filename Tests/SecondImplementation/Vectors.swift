import Foundation

/// Published vectors, read from the checkout of swift-crypto; a missing file is a failure.
package enum Vectors {
    private static let folder = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent(".build/checkouts/swift-crypto/Tests")

    package static func json(_ path: String) throws -> Any {
        try JSONSerialization.jsonObject(
            with: try Data(contentsOf: folder.appendingPathComponent(path))
        )
    }

    package static func text(_ path: String) throws -> String {
        try String(contentsOf: folder.appendingPathComponent(path), encoding: .utf8)
    }

    /// A vector of Wycheproof with its group's fields.
    package struct Case {
        package let fields: [String: Any]
        package let group: [String: Any]

        package func text(_ field: String) -> String {
            fields[field] as? String ?? group[field] as? String ?? ""
        }

        package func bytes(_ field: String) throws -> Bytes {
            guard let text = fields[field] as? String ?? group[field] as? String else {
                throw FormatError()
            }
            return try hex(text)
        }

        package func number(_ field: String) -> Int { group[field] as? Int ?? -1 }
        package var flags: [String] { fields["flags"] as? [String] ?? [] }
        package var isValid: Bool { text("result") == "valid" }
        package var name: String { "\(fields["tcId"] ?? "?") \(text("comment"))" }
    }

    package static func wycheproof(_ name: String) throws -> [Case] {
        guard let file = try json("Test Vectors/\(name)_test.json") as? [String: Any],
            let groups = file["testGroups"] as? [[String: Any]]
        else { throw FormatError() }
        return groups.flatMap { group in
            (group["tests"] as? [[String: Any]] ?? []).map { Case(fields: $0, group: group) }
        }
    }

    package static func hex(_ text: String) throws -> Bytes {
        let digits = Array(text.utf8)
        return try stride(from: 0, to: digits.count, by: 2).map { index in
            let pair = String(decoding: digits[index..<min(index + 2, digits.count)], as: UTF8.self)
            guard pair.count == 2, let byte = UInt8(pair, radix: 16) else { throw FormatError() }
            return byte
        }
    }
}

/// The same "random" bytes for the same seed (SplitMix64).
package struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    package init(_ seed: UInt64) { state = seed }

    package mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var value = state
        value = (value ^ value >> 30) &* 0xbf58_476d_1ce4_e5b9
        value = (value ^ value >> 27) &* 0x94d0_49bb_1331_11eb
        return value ^ value >> 31
    }

    package mutating func bytes(_ count: Int) -> Bytes {
        var words = (0..<(count + 7) / 8).map { _ in next() }
        return words.withUnsafeMutableBytes { Bytes($0.prefix(count)) }
    }
}
