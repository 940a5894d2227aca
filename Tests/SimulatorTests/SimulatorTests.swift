import Simulator
import Testing

/// Seeds of the debug build; many more run in the release build, by `make simulate`.
@Suite struct SimulatorTests {
    @Test func `every promise holds whatever happens to devices, server and network`() async {
        let run = SeedRun(first: 1, count: 200, workers: 2)
        let progress = await run.run()
        for failure in progress.failures {
            Issue.record("simulate --seed \(failure.seed) --trace: \(failure.promise)")
        }
        #expect(progress.done == 200)
    }

    @Test func `every promise holds for people who share`() async {
        var run = SeedRun(first: 1, count: 10, workers: 2)
        run.isSharing = true
        let progress = await run.run()
        for failure in progress.failures {
            Issue.record("simulate --sharing --seed \(failure.seed) --trace: \(failure.promise)")
        }
        #expect(progress.done == 10)
    }

    @Test func `every promise holds for people who give shares away`() async {
        var run = SeedRun(first: 1, count: 10, workers: 2)
        run.isSharing = true
        run.hasTransfers = true
        let progress = await run.run()
        for failure in progress.failures {
            Issue.record(
                "simulate --sharing --transfers --seed \(failure.seed) --trace: \(failure.promise)"
            )
        }
        #expect(progress.done == 10)
    }

    @Test func `every promise holds for people who keep mirrors on a disk, and import`() async {
        var run = SeedRun(first: 1, count: 10, workers: 2)
        run.hasDisk = true
        let progress = await run.run()
        for failure in progress.failures {
            Issue.record("simulate --disk --seed \(failure.seed) --trace: \(failure.promise)")
        }
        #expect(progress.done == 10)
    }

    @Test(arguments: [false, true])
    func `every promise holds for people who undo, restore and resolve`(isSharing: Bool) async {
        var run = SeedRun(first: 1, count: isSharing ? 10 : 50, workers: 2)
        run.hasCommands = true
        run.isSharing = isSharing
        let progress = await run.run()
        for failure in progress.failures {
            let kind = isSharing ? "--sharing --commands" : "--commands"
            Issue.record("simulate \(kind) --seed \(failure.seed) --trace: \(failure.promise)")
        }
        #expect(progress.done == run.count)
    }

    @Test func `the same seed gives the same events to people who undo, restore and resolve`()
        async
    {
        let first = await Simulation.run(Plan(seed: 3, hasCommands: true))
        let second = await Simulation.run(Plan(seed: 3, hasCommands: true))
        #expect(first.failure == nil)
        #expect(first.hash == second.hash)
    }

    @Test(arguments: 1...100 as ClosedRange<UInt64>)
    func `a plan with commands has commands enough`(seed: UInt64) {
        #expect(Plan(seed: seed, hasCommands: true).commands >= 3)
        #expect(Plan(sharing: seed, hasCommands: true).commands >= 3)
        #expect(Plan(seed: seed).commands + Plan(sharing: seed).commands == 0)
    }

    @Test func `the same seed gives the same events to people who share`() async {
        let first = await Simulation.run(Plan(sharing: 3))
        let second = await Simulation.run(Plan(sharing: 3))
        #expect(first.failure == nil)
        #expect(first.hash == second.hash)
    }

    @Test(arguments: 1...200 as ClosedRange<UInt64>)
    func `a plan of several accounts has devices, edits, syncs and faults enough`(seed: UInt64) {
        let plan = Plan(sharing: seed)
        #expect(plan.deviceCount >= 3)
        #expect(plan.edits + plan.shareActions >= 50)
        #expect(plan.syncs >= 15)
        #expect(plan.faults >= 5)
    }

    @Test(arguments: [3, 14, 40] as [UInt64])
    func `the same seed gives the same events`(seed: UInt64) async {
        let first = await Simulation.run(Plan(seed: seed))
        let second = await Simulation.run(Plan(seed: seed))
        #expect(first.failure == nil)
        #expect(first.hash == second.hash)
    }

    @Test(arguments: 1...200 as ClosedRange<UInt64>)
    func `a plan has devices, edits, syncs and faults enough`(seed: UInt64) {
        let plan = Plan(seed: seed)
        #expect(plan.deviceCount >= 3)
        #expect(plan.edits >= 50)
        #expect(plan.syncs >= 15)
        #expect(plan.faults >= 5)
    }
}
