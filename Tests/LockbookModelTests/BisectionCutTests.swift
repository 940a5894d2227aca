import Testing

@testable import LockbookModel

/// Where a comparison that takes too long is cut, against a plain search for the best place.
@Suite struct BisectionCutTests {
    private typealias Cut = Bisection.Cut

    /// A comparison amid its work, with what either search reached on each diagonal.
    private struct Drawn {
        var bisection: Bisection
        var box: Bisection.Box
        var front: Bisection.Front
        var back: Bisection.Front
        var cost: Int

        init(_ random: inout Seeded) {
            // Long runs that are equal, and so few others that a run often ends at one.
            func draw() -> [Int32] {
                (0..<Int.random(in: 30...90, using: &random)).map { _ in
                    Int.random(in: 0..<14, using: &random) == 0 ? 1 : 0
                }
            }
            bisection = Bisection(old: draw(), new: draw(), budget: 0)
            func stretch(of count: Int) -> Range<Int> {
                let start = Int.random(in: 0...count / 4, using: &random)
                return start..<Int.random(in: count * 3 / 4...count, using: &random)
            }
            box = Bisection.Box(
                old: stretch(of: bisection.old.count),
                new: stretch(of: bisection.new.count),
                isExact: false
            )
            let offset = bisection.offset
            front = Bisection.Front(at: box.old.lowerBound - box.new.lowerBound + offset)
            back = Bisection.Front(at: box.old.upperBound - box.new.upperBound + offset)
            let reached = Int.random(in: 0...14, using: &random)
            (front.low, front.high) = (front.middle - reached, front.middle + reached)
            (back.low, back.high) = (back.middle - reached, back.middle + reached)
            cost = Int.random(in: 0...12, using: &random)
            // Also behind the ends, as far as edits may lead.
            for diagonal in bisection.forward.indices {
                let ends = box.old.lowerBound - 2...box.old.upperBound + 2
                bisection.forward[diagonal] = Int32(Int.random(in: ends, using: &random))
                bisection.backward[diagonal] = Int32(Int.random(in: ends, using: &random))
            }
        }

        /// The points that one of the searches reached, in order.
        func points(_ front: Bisection.Front, _ reach: [Int32]) -> [(old: Int, new: Int)] {
            stride(from: front.high, through: front.low, by: -2).map { diagonal in
                let old = Int(reach[diagonal])
                return (old, old - (diagonal - bisection.offset))
            }
        }

        /// What is gained by a point: the pieces behind it, but for those of one sequence alone.
        func gain(_ old: Int, _ new: Int, from start: (old: Int, new: Int)) -> Int {
            let (one, other) = (abs(old - start.old), abs(new - start.new))
            let isPast = (old >= start.old) == (new >= start.new)
            return isPast ? one + other - abs(one - other) : -abs(one - other)
        }
    }

    private func equal(_ cut: Cut?, _ expected: Cut?, _ seed: UInt64) {
        #expect(
            cut.map { [$0.old, $0.new] } == expected.map { [$0.old, $0.new] },
            "seed \(seed)"
        )
        #expect(cut?.isExactBefore == expected?.isExactBefore, "seed \(seed)")
        #expect(cut?.isExactAfter == expected?.isExactAfter, "seed \(seed)")
    }

    /// The first point of the most gain that ends a long run of equal pieces, or begins one.
    private func goodCut(_ drawn: Drawn) -> Cut? {
        let (pair, box) = (drawn.bisection, drawn.box)
        func best(_ points: [(old: Int, new: Int)], _ sign: Int, isFront: Bool) -> Cut? {
            let start = isFront ? 0 : 1
            let (old, new) = (
                [box.old.lowerBound, box.old.upperBound][start],
                [box.new.lowerBound, box.new.upperBound][start]
            )
            let found = points.map { point in
                (
                    point: point,
                    gain: sign * (point.old - old) + sign * (point.new - new)
                        - abs((point.old - point.new) - (old - new))
                )
            }.filter { found in
                let run = (1...20).map { isFront ? -$0 : $0 - 1 }
                return found.gain > 4 * drawn.cost
                    && box.old.contains(found.point.old) && box.new.contains(found.point.new)
                    && (isFront || found.point.old > old - box.old.count)
                    && (isFront || found.point.new > new - box.new.count)
                    && run.allSatisfy { step in
                        let (one, other) = (found.point.old + step, found.point.new + step)
                        return box.old.contains(one) && box.new.contains(other)
                            && pair.old[one] == pair.new[other]
                    }
            }
            return found.max { $0.gain < $1.gain }.map {
                Cut(
                    old: $0.point.old,
                    new: $0.point.new,
                    isExactBefore: isFront,
                    isExactAfter: !isFront
                )
            }
        }
        return best(drawn.points(drawn.front, pair.forward), 1, isFront: true)
            ?? best(drawn.points(drawn.back, pair.backward), -1, isFront: false)
    }

    @Test func `a good cut is at the end of the long run of equal pieces that is furthest on`() {
        var found = [false: 0, true: 0]
        for seed in UInt64(0)..<6_000 {
            var random = Seeded(seed)
            let drawn = Drawn(&random)
            let cut = drawn.bisection.goodCut(
                drawn.box,
                drawn.front,
                drawn.back,
                cost: drawn.cost
            )
            equal(cut, goodCut(drawn), seed)
            if let cut { found[cut.isExactBefore, default: 0] += 1 }
        }
        #expect(found.values.allSatisfy { $0 > 100 }, "\(found)")
    }

    /// The first point that is furthest from its own end, of the search that has less to go.
    private func furthestCut(_ drawn: Drawn) -> Cut {
        let (pair, box) = (drawn.bisection, drawn.box)
        func clamped(_ front: Bisection.Front, _ reach: [Int32], isFront: Bool)
            -> [(old: Int, new: Int)]
        {
            drawn.points(front, reach).map { old, new in
                let shift = old - new
                let ends = isFront ? [box.old.upperBound, box.new.upperBound + shift] : []
                let starts = isFront ? [] : [box.old.lowerBound, box.new.lowerBound + shift]
                let one = starts.reduce(ends.reduce(old, min), max)
                return (one, one - shift)
            }
        }
        let ahead = clamped(drawn.front, pair.forward, isFront: true)
            .max { $0.old + $0.new < $1.old + $1.new }
        let behind = clamped(drawn.back, pair.backward, isFront: false)
            .min { $0.old + $0.new < $1.old + $1.new }
        guard let ahead, let behind else { return Cut(-1, -1, isFront: true) }
        let gone = ahead.old + ahead.new - box.old.lowerBound - box.new.lowerBound
        let come = box.old.upperBound + box.new.upperBound - behind.old - behind.new
        return gone > come
            ? Cut(ahead.old, ahead.new, isFront: true)
            : Cut(behind.old, behind.new, isFront: false)
    }

    @Test func `the furthest cut is where the search that got on best is`() {
        var found = [false: 0, true: 0]
        for seed in UInt64(0)..<6_000 {
            var random = Seeded(seed)
            let drawn = Drawn(&random)
            let cut = drawn.bisection.furthestCut(drawn.box, drawn.front, drawn.back)
            equal(cut, furthestCut(drawn), seed)
            found[cut.isExactBefore, default: 0] += 1
        }
        #expect(found.values.allSatisfy { $0 > 100 }, "\(found)")
    }
}

extension Bisection.Cut {
    fileprivate init(_ old: Int, _ new: Int, isFront: Bool) {
        self.init(old: old, new: new, isExactBefore: isFront, isExactAfter: !isFront)
    }
}
