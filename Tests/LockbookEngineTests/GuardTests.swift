import LockbookTestSupport
import Testing

@testable import LockbookEngine

/// What a sync does not do before somebody says that it is meant.
struct GuardTests {
    let alice: Person

    init() throws {
        alice = Person("alice", on: try TestServer())
    }

    @Test func `a mass deletion made elsewhere asks each time, and goes on when told to`()
        async throws
    {
        let (laptop, phone) = try await devices(holding: 30)
        try laptop.write("/keep.md", "k")
        try laptop.delete("/f")
        try await laptop.sync()
        let before = try await phone.snapshot()

        for _ in 0..<2 {
            let stop = try await phone.stop()
            #expect(stop?.kind == .pulledDeletions && stop?.count == 31 && stop?.total == 31)
            #expect(try phone.lockbook.status().stopped == stop)
            #expect(try await phone.snapshot() == before)
        }
        try phone.write("/meanwhile.md", "m")
        #expect(try await phone.stop() != nil)
        try await phone.sync(.accepting)

        #expect(try phone.lockbook.status().stopped == nil)
        #expect(try phone.paths() == ["/keep.md", "/meanwhile.md"])
        try await converge(alice, laptop, phone)
    }

    @Test func `a dry run stops as the sync would, and leaves no trace of it`() async throws {
        let (laptop, phone) = try await devices(holding: 30)
        try laptop.delete("/f")
        try await laptop.sync()

        await #expect(throws: LockbookError.self) { try await phone.dryRun() }
        #expect(try phone.lockbook.status().stopped == nil)
        var options = SyncOptions.accepting
        options.isDryRun = true
        #expect(try await phone.sync(options).pulled == ["/f"])
        #expect(try phone.paths().count == 31)
        #expect(try await phone.stop() != nil)
    }

    @Test func `many small deletions are one to a device that was away`() async throws {
        let (laptop, phone) = try await devices(holding: 30)
        for number in 0..<20 {
            try laptop.delete("/f/\(number).md")
            if number % 5 == 4 { try await laptop.sync() }
        }

        let stop = try await phone.stop()
        #expect(stop?.kind == .pulledDeletions && stop?.count == 20)
        #expect(try phone.paths().count == 31)
    }

    @Test func `half of the files, and files that were moved out before, ask nothing`()
        async throws
    {
        let (laptop, phone) = try await devices(holding: 30)
        for number in 0..<15 { try laptop.delete("/f/\(number).md") }
        try await laptop.sync()
        try await phone.sync()
        _ = try laptop.lockbook.create(path: "/g/")
        for number in 15..<30 { try laptop.move("/f/\(number).md", to: "/g/") }
        try laptop.delete("/f")
        try await laptop.sync()
        try await phone.sync()

        #expect(try phone.paths().count == 16)
        try await converge(alice, laptop, phone)
    }

    @Test func `a device that has next to nothing has nothing to lose`() async throws {
        let (laptop, phone) = try await devices(holding: 18)
        try laptop.delete("/f")
        try await laptop.sync()
        try await phone.sync()

        #expect(try phone.paths() == [])
    }

    @Test func `more than 500 of many ask`() async throws {
        let (laptop, phone) = try await devices(holding: 1_100)
        for number in 0..<501 { try laptop.delete("/f/\(number).md") }
        try await laptop.sync()

        let stop = try await phone.stop()
        #expect(stop?.count == 501 && stop?.total == 1_101)
    }

    @Test func `what a command here deleted is pushed without a question, also days later`()
        async throws
    {
        let (laptop, phone) = try await devices(holding: 30)
        try laptop.delete("/f")
        laptop.clock.pass(days: 6)
        try await laptop.sync()

        #expect(try await phone.stop()?.kind == .pulledDeletions)
    }

    @Test func `a deletion that waited too long asks before it is pushed`() async throws {
        let (laptop, phone) = try await devices(holding: 30)
        try laptop.delete("/f")
        laptop.clock.pass(days: 8)

        for _ in 0..<2 {
            let stop = try await laptop.stop()
            #expect(stop?.kind == .pushedDeletions && stop?.count == 31 && stop?.total == 31)
        }
        try await phone.sync()
        #expect(try phone.paths().count == 31)
        try await laptop.sync(.accepting)
        try await phone.sync(.accepting)
        try await converge(alice, laptop, phone)
    }

    @Test func `a folder deleted here in which much was written elsewhere asks nothing`()
        async throws
    {
        let (laptop, phone) = try await devices(holding: 30)
        for number in 0..<25 { try laptop.write("/f/\(number).md", "edited \(number)") }
        try await laptop.sync()
        try phone.delete("/f")
        try await phone.sync()
        #expect(try phone.lockbook.conflicts().count == 25)
    }

    @Test func `a data folder that went on elsewhere asks before it deletes much`() async throws {
        let (laptop, phone) = try await devices(holding: 30)
        let twin = try laptop.twin()
        try twin.write("/later.md", "x")
        try await twin.sync()

        try laptop.delete("/f")
        #expect(try await laptop.stop()?.kind == .pushedDeletions)
        #expect(try laptop.paths() == [])
        try await laptop.sync(.accepting)
        try await phone.sync(.accepting)
        try await converge(alice, laptop, phone)
    }

    @Test func `a sync whose answer was lost is no work of somebody else`() async throws {
        let (laptop, phone) = try await devices(holding: 30)
        try laptop.write("/a.md", "a")
        laptop.faults.next("/v1/push", .answerLost)
        await #expect(throws: LockbookError.self) { try await laptop.sync() }
        try laptop.delete("/f")
        try await laptop.sync()
        try await phone.sync(.accepting)

        try await converge(alice, laptop, phone)
    }

    @Test(arguments: ["contents", "names", "emptied"])
    func `one change of most documents asks`(what: String) async throws {
        let (laptop, phone) = try await devices(holding: 30)
        for number in 0..<28 {
            switch what {
            case "names": try laptop.move("/f/\(number).md", to: "/f/\(number).locked")
            case "emptied": try laptop.write("/f/\(number).md", "")
            default: try laptop.write("/f/\(number).md", noise(50, seed: UInt64(number + 1)))
            }
        }
        try await laptop.sync()
        let before = try await phone.snapshot()

        for _ in 0..<2 {
            let stop = try await phone.stop()
            #expect(stop?.kind == .replacedTree && stop?.count == 28 && stop?.total == 30)
            #expect(stop?.device == (try laptop.lockbook.status().newest?.device))
        }
        #expect(try await phone.snapshot() == before)
        try await phone.sync(.accepting)
        try await converge(alice, laptop, phone)
    }

    @Test func `documents edited bit by bit, moved together or most of a few ask nothing`()
        async throws
    {
        let (laptop, phone) = try await devices(holding: 30)
        for number in 0..<30 {
            try laptop.write("/f/\(number).md", "edited \(number)")
            if number % 10 == 9 { try await laptop.sync() }
        }
        try await phone.sync()
        _ = try laptop.lockbook.create(path: "/g/")
        for number in 0..<30 { try laptop.move("/f/\(number).md", to: "/g/") }
        try await laptop.sync()
        try await phone.sync()
        for number in 0..<27 { try laptop.write("/g/\(number).md", "again \(number)") }

        try await converge(alice, laptop, phone)
    }

    @Test func `a replaced tree is all but a tenth of a few, half of many, or very many`() {
        let limits = [(19, 19), (18, 20), (27, 30), (179, 199), (100, 200), (5_000, 20_000)]
        for (count, total) in limits {
            #expect(!SyncStop.isReplacedTree(count, of: total))
            let isCounted = total >= 20
            #expect(SyncStop.isReplacedTree(count + 1, of: total) == isCounted)
        }
    }

    private func devices(holding count: Int) async throws -> (Device, Device) {
        let laptop = try await alice.firstDevice()
        for number in 0..<count { try laptop.write("/f/\(number).md", "\(number)") }
        try await laptop.sync()
        return (laptop, try await alice.device(named: "phone", like: laptop))
    }
}

extension SyncOptions {
    /// Go on, whatever would be deleted.
    static var accepting: SyncOptions {
        var options = SyncOptions()
        options.acceptDeletions = true
        return options
    }
}

extension Device {
    /// Why a sync stops; nil when it does not.
    func stop() async throws -> SyncStop? {
        do {
            try await sync()
            return nil
        } catch LockbookError.stopped(let stop) {
            return stop
        }
    }
}
