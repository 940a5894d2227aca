/// How often what happened.
package struct Tally: Codable, Sendable {
    package private(set) var counts: [String: Int] = [:]

    package init() {}

    mutating func count(_ what: String, _ number: Int = 1) {
        counts[what, default: 0] += number
    }

    package mutating func add(_ other: Tally) {
        for (what, number) in other.counts { counts[what, default: 0] += number }
    }
}
