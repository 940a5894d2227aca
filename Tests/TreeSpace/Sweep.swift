package import LockbookModel

/// What was seen on the way through a space, and every promise that was broken.
package struct Tally: Sendable, Equatable {
    /// Triples of base, local and remote, those that symmetry stands in for included.
    package var triples = 0
    /// Merges that were made.
    package var merges = 0
    package var maximumRounds = 0
    package var notes: [MergeNote.Kind: Int] = [:]
    /// Pairs of orders of syncing that end in trees which differ so.
    package var differences: [Set<OrderDifference>: Int] = [:]
    /// The first few broken promises, with the triple.
    package var broken: [String] = []
    package var brokenCount = 0

    package init() {}

    package mutating func add(_ other: Tally) {
        triples += other.triples
        merges += other.merges
        maximumRounds = max(maximumRounds, other.maximumRounds)
        notes.merge(other.notes, uniquingKeysWith: +)
        differences.merge(other.differences, uniquingKeysWith: +)
        broken = Array((broken + other.broken).prefix(10))
        brokenCount += other.brokenCount
    }

    mutating func record(_ problem: @autoclosure () -> String) {
        brokenCount += 1
        if broken.count < 10 { broken.append(problem()) }
    }
}

/// Every way in which two devices can change every tree of a space, merged in both orders.
package struct Sweep: Sendable {
    package let space: TreeSpace
    package let table: FileTable
    /// The trees to start from, each with the number of trees that it stands for.
    package let bases: [(tree: Shapes, weight: Int)]
    /// Of so many merges one is made again, and followed by the next ones that it leads to.
    ///
    /// When that is not each, the ways in which contents come together take turns, too.
    private let repeatedOf: Int
    private let hasTwins: Bool

    /// - Parameter reduced: whether trees that differ only in which file is which, or in which name
    ///   is which, are tried once.
    /// - Parameter hasTwins: whether both devices may have made the same file, which happens only
    ///   when a data folder was copied.
    package init(_ space: TreeSpace, reduced: Bool, hasTwins: Bool = true, repeatedOf: Int = 1)
        throws
    {
        self.hasTwins = hasTwins
        self.repeatedOf = repeatedOf
        self.space = space
        table = try FileTable(fileCount: space.fileCount)
        bases = reduced ? space.representatives() : space.trees.map { ($0, 1) }
    }

    private func repeats(_ number: Int) -> Bool { number.isMultiple(of: repeatedOf) }

    /// Runs the bases whose number leaves this remainder.
    package func run(part: Int, of count: Int) throws -> Tally {
        var tally = Tally()
        for number in stride(from: part, to: bases.count, by: count) {
            tally.add(try run(base: number))
        }
        return tally
    }

    package func run(base number: Int) throws -> Tally {
        let (shapes, weight) = bases[number]
        let base = table.tree(shapes, by: .base)
        let successors = space.successors(of: shapes)
        let lefts = successors.map { table.tree($0, since: shapes, by: .left) }
        let rights = successors.map { table.tree($0, since: shapes, by: .right) }
        var tally = Tally()
        for left in successors.indices {
            for right in left..<successors.count
            where TreeSpace.canMeet(successors[left], successors[right])
                && (hasTwins
                    || !TreeSpace.haveTwin(successors[left], successors[right], of: shapes))
            {
                tally.triples += left == right ? weight : 2 * weight
                let some = Answer.allCases[(left + right) % Answer.allCases.count]
                for answer in repeatedOf == 1 ? Answer.allCases : [some] {
                    let orders = try Orders(
                        leftFirst: Meeting(
                            base: base,
                            first: lefts[left],
                            second: rights[right],
                            answer: answer,
                            table: table
                        ),
                        rightFirst: Meeting(
                            base: base,
                            first: rights[right],
                            second: lefts[left],
                            answer: answer,
                            table: table
                        ),
                        table: table
                    )
                    try check(orders, weight, &tally) {
                        "\(shapes.drawn) → \(successors[left].drawn) | \(successors[right].drawn)"
                            + " (\(answer))"
                    }
                    if !orders.hasQuestions { break }
                }
            }
        }
        return tally
    }

    private func check(
        _ orders: Orders,
        _ weight: Int,
        _ tally: inout Tally,
        _ drawn: () -> String
    ) throws {
        for meeting in [orders.leftFirst, orders.rightFirst] {
            tally.merges += 1
            tally.maximumRounds = max(tally.maximumRounds, meeting.plan.rounds)
            for note in meeting.plan.notes { tally.notes[note.kind, default: 0] += 1 }
            for law in meeting.broken(table: table) { tally.record("\(law): \(drawn())") }
            if repeats(tally.merges) {
                for law in try meeting.brokenAgain(table: table) {
                    tally.record("\(law): \(drawn())")
                }
            }
        }
        // A file that both devices made is a copied data folder's; it is not promised there.
        guard !hasTwins || !orders.hasTwins else { return }
        guard let differences = orders.differences() else {
            tally.record("the orders end in different trees: \(drawn())")
            return
        }
        if !differences.isEmpty { tally.differences[differences, default: 0] += weight }
    }
}
