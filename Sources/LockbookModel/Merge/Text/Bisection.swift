/// Finds the pieces of two sequences without a partner, cutting both where a short path leads.
struct Bisection {
    /// The two sequences.
    ///
    /// A diagonal is the difference of an old and a new index, offset to be an array index.
    struct Pair {
        let old: [Int32]
        let new: [Int32]
        let offset: Int
    }

    let pair: Pair
    private(set) var oldChanged: [Bool]
    private(set) var newChanged: [Bool]

    /// Indices into both sequences, and whether the path through them has to be the shortest.
    ///
    /// A box is made with `isExact` when a path of known cost leads through it, which bounds work.
    struct Box {
        var old: Range<Int>
        var new: Range<Int>
        var isExact: Bool
    }

    /// The furthest reach on each diagonal, from the start and from the end.
    var forward: [Int32]
    var backward: [Int32]

    /// Edits after which a path is cut where it is best so far instead of being followed.
    var patience: Int
    /// Steps left before patience wears thin.
    ///
    /// After as many steps again as `reserve` says, what is left is not compared any more: it
    /// counts as changed, so that both versions of it are kept.
    var budget: Int
    private let reserve: Int

    var old: [Int32] { pair.old }
    var new: [Int32] { pair.new }
    var offset: Int { pair.offset }

    init(old: [Int32], new: [Int32], budget: Int) {
        pair = Pair(old: old, new: new, offset: new.count + 1)
        oldChanged = Array(repeating: false, count: old.count)
        newChanged = Array(repeating: false, count: new.count)
        let diagonals = old.count + new.count + 3
        forward = Array(repeating: 0, count: diagonals)
        backward = Array(repeating: 0, count: diagonals)
        patience = max(256, SequenceDiff.Side.roundRoot(diagonals))
        self.budget = budget
        reserve = 16 * diagonals
    }

    mutating func run() {
        // A stack of boxes, since text can be made for which recursion would go very deep.
        var boxes = [Box(old: old.indices, new: new.indices, isExact: false)]
        while var box = boxes.popLast() {
            trim(&box)
            if box.old.isEmpty {
                for index in box.new { newChanged[index] = true }
            } else if box.new.isEmpty {
                for index in box.old { oldChanged[index] = true }
            } else if budget < -reserve {
                for index in box.old { oldChanged[index] = true }
                for index in box.new { newChanged[index] = true }
            } else {
                let cut = cut(box)
                boxes.append(
                    Box(
                        old: box.old.lowerBound..<cut.old,
                        new: box.new.lowerBound..<cut.new,
                        isExact: cut.isExactBefore
                    )
                )
                boxes.append(
                    Box(
                        old: cut.old..<box.old.upperBound,
                        new: cut.new..<box.new.upperBound,
                        isExact: cut.isExactAfter
                    )
                )
            }
        }
    }

    /// Takes off what both sequences of a box begin or end with.
    private func trim(_ box: inout Box) {
        while let one = box.old.first, let other = box.new.first, old[one] == new[other] {
            box.old.removeFirst()
            box.new.removeFirst()
        }
        while let one = box.old.last, let other = box.new.last, old[one] == new[other] {
            box.old.removeLast()
            box.new.removeLast()
        }
    }
}
