import Testing

@testable import LockbookModel

/// Which of many differences of two sequences is found, and in how many steps.
@Suite struct PinnedDiffTests {
    /// How two sequences come to differ.
    enum Kind: CaseIterable, Sendable {
        /// Nothing of one is in the other but by chance.
        case drawn
        /// Long runs of one stand in the other, in another order, with other pieces between them.
        case moved
        /// One is the other with edits, few or many.
        case edited
        /// One is the other with so many small edits that a long run of equal pieces is worth a cut.
        case nearly
        /// Little of one is in the other, and that often.
        case unlike
        /// Lines of many kinds amid some that are everywhere.
        case common
    }

    private func sequences(_ kind: Kind, _ length: Int, _ random: inout Seeded) -> (
        [Int32], [Int32]
    ) {
        func draw(_ count: Int, _ kinds: Int32) -> [Int32] {
            (0..<count).map { _ in Int32.random(in: 0..<kinds, using: &random) }
        }
        switch kind {
        case .drawn:
            let kinds = Int32([2, 4, 30].randomElement(using: &random) ?? 2)
            return (
                draw(Int.random(in: 0...length, using: &random), kinds),
                draw(Int.random(in: 0...length, using: &random), kinds)
            )
        case .moved:
            let runs = (0..<12).map { _ in draw(Int.random(in: 5...length / 10, using: &random), 60)
            }
            func mixed() -> [Int32] {
                runs.shuffled(using: &random).flatMap { run in
                    run + draw(Int.random(in: 0...length / 6, using: &random), 4)
                }
            }
            return (mixed(), mixed())
        case .edited:
            let old = draw(length, 40)
            var new = old
            for _ in 0..<Int.random(in: 0...length / 3, using: &random) {
                let at = Int.random(in: 0...new.count, using: &random)
                let span = min(new.count - at, Int.random(in: 0...4, using: &random))
                new.replaceSubrange(
                    at..<at + span,
                    with: draw(Int.random(in: 0...4, using: &random), 40)
                )
            }
            return (old, new)
        case .nearly:
            let old = draw(length, 60)
            var new = old
            // More of them in some places than in others.
            let dense = Int.random(in: 0..<length, using: &random)
            for _ in 0..<length / Int.random(in: 12...40, using: &random) {
                let at = Int.random(in: 0...new.count, using: &random)
                new.insert(contentsOf: draw(Int.random(in: 0...2, using: &random), 60), at: at)
                let near = (dense + Int.random(in: 0...length / 8, using: &random)) % new.count
                new.removeSubrange(near..<min(near + 2, new.count))
            }
            return Bool.random(using: &random) ? (old, new) : (new, old)
        case .unlike:
            func text(_ first: Int32) -> [Int32] {
                (0..<length).map { _ in
                    switch Int.random(in: 0..<20, using: &random) {
                    case 0: Int32.random(in: 3..<60, using: &random)
                    case 1...4: Int32.random(in: 0..<3, using: &random)
                    default: Int32.random(in: first..<first + 800, using: &random)
                    }
                }
            }
            return (text(100), text(900))
        case .common:
            func text(_ first: Int32) -> [Int32] {
                (0..<length).map { _ in
                    Int.random(in: 0..<3, using: &random) > 0
                        ? Int32.random(in: 0..<2, using: &random)
                        : Int32.random(in: first..<first + 50, using: &random)
                }
            }
            return (text(2), text(30))
        }
    }

    @Test(arguments: [
        (Kind.drawn, 60, 300, "b4d67fadbbfc5484"), (.edited, 60, 300, "80188bffcfbdbd82"),
        (.moved, 120, 100, "a145a2a22d0853ff"),
        (.common, 300, 100, "29ff10a9b563db53"),
        (.drawn, 900, 10, "5e70102016bf11f3"), (.edited, 3_000, 10, "8c3e18be491dcdf1"),
        (.moved, 1_500, 10, "8181986a0a7d3371"),
        (.common, 3_000, 6, "71c445da142a3e01"),
        (.unlike, 200, 200, "f046cb7c7a800fc3"), (.unlike, 2_000, 20, "753f2146c57fb7c4"),
    ])
    func `hunks, and steps taken`(kind: Kind, length: Int, count: UInt64, pinned: String) {
        var pin = Pin()
        for seed in 0..<count {
            var random = Seeded(seed)
            let (old, new) = sequences(kind, length, &random)
            for allowed in [1 << 24, 2_000, 0, -100_000] {
                var budget = allowed
                let hunks = SequenceDiff.hunks(from: old, to: new, kinds: 2_000, budget: &budget)
                pin.add(budget)
                for hunk in hunks {
                    for edge in [
                        hunk.base.lowerBound, hunk.base.upperBound, hunk.side.lowerBound,
                        hunk.side.upperBound,
                    ] { pin.add(edge) }
                }
            }
        }
        #expect(pin.text == pinned)
    }

    @Test(arguments: [
        (Kind.drawn, 700, 16, "a04b384176661e07"), (.edited, 1_500, 16, "b17e60b681cfefe8"),
        (.moved, 1_200, 16, "a56f21c7b10f2f3c"),
        (.common, 1_500, 6, "4886045d54ef7ed6"),
        // So long that patience lasts until long runs count.
        (.nearly, 36_000, 8, "a0c776f1f16678f6"),
    ])
    func `cuts of bisections`(kind: Kind, length: Int, count: UInt64, pinned: String) {
        var pin = Pin()
        for seed in 0..<count {
            var random = Seeded(seed)
            let (old, new) = sequences(kind, length, &random)
            for budget in [1 << 24, 20_000, 0] {
                var bisection = Bisection(old: old, new: new, budget: budget)
                bisection.run()
                pin.add(bisection.budget)
                pin.add(bisection.oldChanged)
                pin.add(bisection.newChanged)
            }
        }
        #expect(pin.text == pinned)
    }
}
