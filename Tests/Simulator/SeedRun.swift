import FoundationEssentials

/// Runs many seeds, as many at a time as there are workers.
package struct SeedRun: Sendable {
    private let first: UInt64
    private let count: UInt64
    private let workers: Int
    private let state: String?

    package init(first: UInt64, count: UInt64, workers: Int, state: String? = nil) {
        self.first = first
        self.count = count
        self.workers = workers
        self.state = state
    }

    /// Runs one seed and prints what becomes of it.
    /// - Returns: whether every promise held.
    package static func one(_ seed: UInt64, isTraced: Bool, shrinks: Bool) async -> Bool {
        let plan = Plan(seed: seed)
        let outcome = await Simulation.run(plan, isTraced: isTraced)
        print("seed \(seed): \(outcome.failure ?? "ok"), events \(String(outcome.hash, radix: 16))")
        if outcome.failure != nil, shrinks {
            let small = await Simulation.shrink(plan)
            print("shrunk to \(small.events.count) events:")
            let last = await Simulation.run(small, isTraced: true)
            print(last.failure ?? "ok")
        }
        SimulatedFolder.removeBase()
        return outcome.failure == nil
    }

    /// - Returns: whether every promise held for every seed.
    package func all() async -> Bool {
        let (tally, failures) = await outcomes()
        for (what, number) in tally.counts.sorted(by: { $0.key < $1.key }) {
            print("\(number)\t\(what)")
        }
        for (seed, failure) in failures.sorted(by: { $0.seed < $1.seed }) {
            print("seed \(seed): \(failure)")
        }
        print("\(count) seeds from \(first), \(failures.count) failed")
        SimulatedFolder.removeBase()
        return failures.isEmpty
    }

    /// What all seeds came to.
    package func outcomes() async -> (tally: Tally, failures: [(seed: UInt64, failure: String)]) {
        var tally = Tally()
        var failures: [(seed: UInt64, failure: String)] = []
        await withTaskGroup(of: (UInt64, Simulation.Outcome).self) { group in
            var next = first
            func add() {
                guard next < first + count else { return }
                let seed = next
                next += 1
                group.addTask { (seed, await Simulation.run(Plan(seed: seed))) }
            }
            for _ in 0..<workers { add() }
            while let (seed, outcome) = await group.next() {
                tally.add(outcome.tally)
                if let failure = outcome.failure { failures.append((seed, failure)) }
                add()
            }
        }
        return (tally, failures)
    }
}
