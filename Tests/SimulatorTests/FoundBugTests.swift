import Simulator
import Testing

/// What the simulator found, each as the shortest story that shows it.
@Suite struct FoundBugTests {
    private func outcome(_ events: [Event], checkpoints: Int64 = 256) async -> Simulation.Outcome {
        var plan = Plan(seed: 1)
        plan.deviceCount = 2
        plan.checkpointRecordCount = checkpoints
        plan.events = events
        return await Simulation.run(plan)
    }

    /// The pool of connections turned off the sync after each commit: an entry that was accepted
    /// could be gone after a power cut, and then every device said "rolled back" for good.
    @Test func `what the server answered to is there after a power cut`() async {
        for draw in 1...8 as ClosedRange<UInt64> {
            let outcome = await outcome([
                Event(kind: .write, device: 0, draw: draw),
                Event(kind: .sync, device: 0, draw: draw + 100),
                Event(kind: .killServer, device: 0, draw: draw + 200),
            ])
            #expect(outcome.failure == nil)
        }
    }

    /// A checkpoint holds the root, which the validator took for a change of the root.
    @Test func `a device that was away longer than the retention goes on from a checkpoint`() async
    {
        var events: [Event] = []
        for draw in 1...12 as ClosedRange<UInt64> {
            events.append(Event(kind: .write, device: 0, draw: draw))
            events.append(Event(kind: .sync, device: 0, draw: draw + 100))
        }
        events.append(Event(kind: .away, device: 1, draw: 300))
        events.append(Event(kind: .sync, device: 1, draw: 301))
        let outcome = await outcome(events, checkpoints: 4)
        #expect(outcome.failure == nil)
    }

    /// What had ended was put right by the sync that read of it, and by no later one: killed in
    /// between, a device pushed what it may not for good, or kept what had moved out of a share that
    /// was given again.
    @Test(arguments: [10_802, 52_053] as [UInt64])
    func `a sync that is killed before it puts right what ended leaves that to the next`(
        seed: UInt64
    ) async {
        let outcome = await Simulation.run(Plan(sharing: seed))
        #expect(outcome.failure == nil)
    }
}
