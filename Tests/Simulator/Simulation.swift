/// Runs worlds, and finds out what of a failing one is needed.
package enum Simulation {
    package struct Outcome: Sendable {
        package var hash: UInt64 = 0
        package var tally = Tally()
        /// What did not hold; nil when all did.
        package var failure: String?
    }

    /// Runs one plan from beginning to end.
    package static func run(_ plan: Plan, isTraced: Bool = false) async -> Outcome {
        let first = await run(plan, watching: [], isTraced)
        guard first.failure == nil, !first.unexplained.isEmpty else { return first.outcome }
        // Some words are gone and their documents became others: once more, looking where they go.
        var second = await run(plan, watching: first.unexplained, isTraced)
        if second.failure == nil, second.outcome.hash != first.outcome.hash {
            second.outcome.failure = "the same seed gave other events the second time"
        }
        second.outcome.tally.count("runs that were watched")
        return second.outcome
    }

    private struct Run {
        var outcome: Outcome
        var unexplained: Set<Int>
        var failure: String? { outcome.failure }
    }

    private static func run(_ plan: Plan, watching: Set<Int>, _ isTraced: Bool) async -> Run {
        var outcome = Outcome()
        do {
            let beginning = try await Beginning.of(plan)
            let world = try World(
                plan: plan,
                server: beginning.server,
                watching: watching,
                isTraced: isTraced
            )
            do {
                outcome.hash = try await world.run(from: beginning)
            } catch {
                outcome.failure = "\(error)"
            }
            outcome.tally = await world.tally
            return Run(outcome: outcome, unexplained: await world.unexplained)
        } catch {
            outcome.failure = "\(error)"
            return Run(outcome: outcome, unexplained: [])
        }
    }

    /// What kind of failure it is: without names, ids and numbers.
    private static func kind(_ outcome: Outcome) -> String? {
        outcome.failure.map { failure in
            let words = failure.split { " \"()/:,".contains($0) }
            return words.filter { word in !word.contains(where: \.isNumber) }.prefix(12)
                .joined(separator: " ")
        }
    }

    /// Leaves out what the failure does not need.
    package static func shrink(_ plan: Plan) async -> Plan {
        let wanted = kind(await run(plan))
        return await shrink(plan) { kind(await run($0)) == wanted }
    }

    private static func shrink(_ plan: Plan, while fails: (Plan) async -> Bool) async -> Plan {
        var plan = plan
        var size = max(1, plan.events.count / 2)
        while true {
            var isSmaller = false
            var start = 0
            while start < plan.events.count {
                var candidate = plan
                candidate.events.removeSubrange(start..<min(start + size, plan.events.count))
                if await fails(candidate) {
                    plan = candidate
                    isSmaller = true
                } else {
                    start += size
                }
            }
            if size > 1 {
                size = max(1, size / 2)
            } else if !isSmaller {
                break
            }
        }
        return await shrinkInterruptions(plan, while: fails)
    }

    private static func shrinkInterruptions(_ plan: Plan, while fails: (Plan) async -> Bool) async
        -> Plan
    {
        var plan = plan
        for index in plan.events.indices {
            for inner in plan.events[index].interruptions.indices.reversed() {
                var candidate = plan
                candidate.events[index].interruptions.remove(at: inner)
                if await fails(candidate) { plan = candidate }
            }
        }
        return plan
    }
}
