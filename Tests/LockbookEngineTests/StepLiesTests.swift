import LockbookTestSupport
import Testing

@testable import LockbookEngine

/// What a server that lies, with the owner who signs, shows of a file on the way to what it is.
struct StepLiesTests: SharingStories {
    let people: Sharers

    init() throws { people = try Sharers() }

    @Test(arguments: Intruder.Step.allCases, [false, true])
    func `no entry takes a file where none may, in one page neither`(
        step: Intruder.Step,
        isApart: Bool
    ) async throws {
        let (laptop, desk) = try await shared()
        let phone = try await ada.device(named: "phone", like: laptop)
        let owner = try Intruder(owner: laptop, of: "/team")
        let records = try owner.records(endingWith: step)
        for record in records.dropLast() { try await owner.push([record]) }
        let last = try #require(records.last)
        for (device, log) in [(desk, 1), (phone, 0)] {
            if isApart { try await device.sync() }
            let before = try await device.snapshot()
            device.faults.lie("/v1/pull") { try owner.add([last], to: $0, log: log) }
            await #expect {
                try await device.sync()
            } throws: { error in
                if case LockbookError.integrity = error { true } else { false }
            }
            #expect(try await device.snapshot() == before, "\(device.name)")
            device.faults.tellTruth()
            try await device.sync()
            #expect(try device.lockbook.validate() == [], "\(device.name)")
        }
    }

    /// Of a member it is nonsense, which shuts nobody out.
    @Test func `another key that a member signs in one epoch stops nobody`() async throws {
        let (laptop, desk) = try await shared()
        try await Intruder(desk, in: "/team").write(.otherKey, over: "plan.md")
        try await laptop.sync()
        #expect(try await laptop.text("/team/plan.md") == "plan.md")
        try await desk.sync()
        #expect(try await desk.text("/team/plan.md") == "plan.md")
    }
}
