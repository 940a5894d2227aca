import FoundationEssentials

/// Runs many seeds, as many at a time as there are workers.
package struct SeedRun: Sendable {
    package var first: UInt64
    package var count: UInt64
    package var workers: Int
    /// Begin no more seeds once one has failed.
    package var stopsAtFailure = false
    /// Whether the worlds are of several accounts that share.
    package var isSharing = false
    /// Whether nothing fails in these.
    package var isCalm = false
    /// Whether people take back, bring back and decide in them.
    package var hasCommands = false
    /// Whether shares get other owners in those that share.
    package var hasTransfers = false
    /// Whether people copy out to the disk, and take in from it, in them.
    package var hasDisk = false
    /// Where a long run notes how far it is; it goes on from there.
    package var state: String?

    package init(first: UInt64, count: UInt64, workers: Int) {
        self.first = first
        self.count = count
        self.workers = workers
    }

    /// What became of the seeds so far.
    package struct Progress: Codable, Sendable {
        package struct Failure: Codable, Sendable {
            package var seed: UInt64
            package var promise: String
        }

        package var done: UInt64 = 0
        package var tally = Tally()
        package var failures: [Failure] = []

        mutating func add(_ seed: UInt64, _ outcome: Simulation.Outcome) {
            done += 1
            tally.add(outcome.tally)
            if let promise = outcome.failure {
                failures.append(Failure(seed: seed, promise: promise))
            }
        }
    }

    /// Seeds between two notes of how far the run is.
    private static let part: UInt64 = 1_000

    /// Runs all seeds and prints what became of them.
    /// - Returns: whether every promise held for every seed.
    package func report() async -> Bool {
        let progress = await run()
        for (what, number) in progress.tally.counts.sorted(by: { $0.key < $1.key }) {
            print("\(number)\t\(what)")
        }
        for failure in progress.failures.sorted(by: { $0.seed < $1.seed }) {
            print("seed \(failure.seed): \(failure.promise)")
        }
        print("\(progress.done) seeds from \(first), \(progress.failures.count) failed")
        SimulatedFolder.removeBase()
        return progress.failures.isEmpty
    }

    /// Runs what is left of the seeds.
    package func run() async -> Progress {
        var progress = Progress()
        if let state, let bytes = FileManager.default.contents(atPath: state),
            let kept = try? JSONDecoder().decode(Progress.self, from: bytes)
        {
            progress = kept
        }
        while progress.done < count, !(stopsAtFailure && !progress.failures.isEmpty) {
            let start = first + progress.done
            await run(start..<min(start + Self.part, first + count), &progress)
            if let state, let bytes = try? JSONEncoder().encode(progress) {
                try? bytes.write(to: URL(filePath: state), options: .atomic)
            }
        }
        return progress
    }

    private func run(_ seeds: Range<UInt64>, _ progress: inout Progress) async {
        var left = seeds
        await withTaskGroup(of: (UInt64, Simulation.Outcome).self) { group in
            func add() {
                guard let seed = left.popFirst() else { return }
                let plan = plan(of: seed)
                group.addTask { (seed, await Simulation.run(plan)) }
            }
            for _ in 0..<workers { add() }
            while let (seed, outcome) = await group.next() {
                progress.add(seed, outcome)
                if stopsAtFailure, !progress.failures.isEmpty { left = left.suffix(0) }
                add()
            }
        }
    }

    private func plan(of seed: UInt64) -> Plan {
        isSharing
            ? Plan(
                sharing: seed,
                isCalm: isCalm,
                hasCommands: hasCommands,
                hasTransfers: hasTransfers,
                hasDisk: hasDisk
            )
            : Plan(seed: seed, hasCommands: hasCommands, hasDisk: hasDisk)
    }

    /// Runs the first seed and prints what becomes of it.
    /// - Returns: whether every promise held.
    package func one(isTraced: Bool, shrinks: Bool) async -> Bool {
        let plan = plan(of: first)
        let outcome = await Simulation.run(plan, isTraced: isTraced)
        print(
            "seed \(first): \(outcome.failure ?? "ok"), events \(String(outcome.hash, radix: 16))"
        )
        if outcome.failure != nil, shrinks {
            let small = await Simulation.shrink(plan)
            print("shrunk to \(small.events.count) events:")
            let last = await Simulation.run(small, isTraced: true)
            print(last.failure ?? "ok")
        }
        SimulatedFolder.removeBase()
        return outcome.failure == nil
    }
}
