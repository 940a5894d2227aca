import LockbookEngine
import LockbookTestSupport
import Testing

/// When an admin's invitation lets nobody in, and that nobody is lost on the way.
extension AdminInvitationStoryTests {
    @Test func `an admin who may not any more lets nobody in`() async throws {
        for right in [ShareRight.write, nil] {
            try laptop.lockbook.setShare(.path("/team"), of: "carol", to: .admin)
            try await laptop.sync()
            try await desk.sync()
            let (used, unused) = (try await invite(), try await invite())
            let tablet = try await Person("bob\(right == nil ? 1 : 2)", on: server)
                .firstDevice(named: "tablet")
            _ = try await tablet.lockbook.acceptInvitation(used.code)
            try laptop.lockbook.setShare(.path("/team"), of: "carol", to: right)
            try await laptop.sync()

            let report = try await desk.sync()
            #expect(
                report.notes.contains { note in
                    note.kind == .claimRefused
                        && note.detail.hasSuffix("not let anybody in there any more")
                }
            )
            try await laptop.sync()
            try await tablet.sync()
            #expect(try members() == (right == nil ? [] : ["carol"]))
            #expect(try tablet.paths() == [] && tablet.lockbook.offers() == [])
            #expect(try desk.lockbook.shares().filter { $0.state == .invited } == [])
            await tablet.refuses(unused.code, "taken back")
        }
    }

    @Test func `an admin whose right ends while he lets somebody in lets nobody in`() async throws {
        let tablet = try await accept(try await invite().code)
        let laptop = laptop
        // The first entry that is pushed is in carol's own log, and says who used it.
        desk.faults.before("/v1/push") {
            try laptop.lockbook.setShare(.path("/team"), of: "carol", to: nil)
            try await laptop.sync()
        }
        _ = try? await desk.sync()
        try await desk.sync()
        try await laptop.sync()
        try await tablet.sync()
        #expect(try members() == [])
        #expect(try tablet.paths() == [])
        #expect(try await desk.sync().traffic.requests == 1)
    }

    @Test func `once, in time, and as long as it is not taken back`() async throws {
        let (first, second, third) = (try await invite(), try await invite(), try await invite())
        _ = try await accept(first.code)
        let eve = try await Person("eve", on: server).firstDevice(named: "phone")
        await eve.refuses(first.code, "used already")
        try await desk.sync()
        await eve.refuses(first.code, "used already")
        try desk.lockbook.setShare(.path("/ours"), of: String(second.id.prefix(8)), to: nil)
        #expect(throws: LockbookError.self) {
            try desk.lockbook.setShare(.path("/ours"), of: String(first.id.prefix(8)), to: nil)
        }
        try await desk.sync()
        await eve.refuses(second.code, "taken back")
        // In time, but held back.
        _ = try await eve.lockbook.acceptInvitation(third.code)
        desk.clock.pass(days: 8)
        #expect(try await desk.sync().notes.map(\.kind) == [.claimRefused])
        eve.clock.pass(days: 8)
        #expect(try await eve.sync().notes.map(\.kind) == [.claimRefused])
        try await laptop.sync()
        #expect(try members() == ["bob", "carol"])
    }

    @Test func `what was deleted meanwhile lets nobody in`() async throws {
        _ = try await accept(try await invite().code)
        try laptop.delete("/team")
        try await laptop.sync()
        let report = try await desk.sync()
        #expect(
            report.notes.filter { $0.kind == .claimRefused }.map(\.detail) == ["bob: it is deleted"]
        )
        #expect(try desk.lockbook.status().shares == nil)
    }

    @Test func `nobody is forgotten where a sync breaks off, and nobody let in who is kept out`()
        async throws
    {
        let tablet = try await accept(try await invite().code)
        // Before the log has who used it, then before the owner's log has the grant.
        desk.faults.next("/v1/push", .lost)
        await #expect(throws: LockbookError.self) { try await desk.sync() }
        func waiting() throws -> [ShareInfo] {
            try desk.lockbook.shares(of: .path("/ours")).filter { $0.state == .waiting }
        }
        #expect(try waiting().map(\.username) == ["bob"])
        #expect(try desk.lockbook.status().shares == 1)
        let faults = desk.faults
        faults.before("/v1/push") { faults.next("/v1/push", .lost) }
        await #expect(throws: LockbookError.self) { try await desk.sync() }
        #expect(try waiting().map(\.username) == ["bob"])
        try await desk.sync()
        try await tablet.sync()
        #expect(try await tablet.text("/theirs/plan.md") == "plan")
        #expect(try waiting() == [])

        for isInLog in [false, true] {
            let name = isInLog ? "eve" : "dan"
            let phone = try await Person(name, on: server).firstDevice(named: "phone")
            _ = try await phone.lockbook.acceptInvitation(try await invite().code)
            if isInLog {
                faults.before("/v1/push") { faults.next("/v1/push", .lost) }
            } else {
                desk.faults.next("/v1/push", .lost)
            }
            await #expect(throws: LockbookError.self) { try await desk.sync() }
            try desk.lockbook.setShare(.path("/ours"), of: name, to: nil)
            #expect(try waiting() == [])
            try await desk.sync()
            try await phone.sync()
            #expect(try phone.lockbook.offers() == [] && phone.paths() == [])
        }
        try await laptop.sync()
        #expect(try members() == ["bob", "carol"])
    }

    @Test func `a crash between two stores keeps nobody out, and lets nobody in twice`()
        async throws
    {
        let tablet = try await accept(try await invite().code)
        let faults = desk.faults
        faults.before("/v1/push") { faults.next("/v1/push", .lost) }
        await #expect(throws: LockbookError.self) { try await desk.sync() }
        try desk.owesAgain()
        try await desk.sync()
        try await tablet.sync()
        #expect(try await tablet.text("/theirs/plan.md") == "plan")
        // The same crash, and what was pushed after it is taken back since.
        try desk.owesAgain()
        try await laptop.sync()
        try laptop.lockbook.setShare(.path("/team"), of: "bob", to: nil)
        try await laptop.sync()
        try await desk.sync()
        try await desk.sync()
        try await laptop.sync()
        #expect(try members() == ["carol"])
        #expect(try desk.lockbook.status().shares == nil)
    }

    @Test func `nobody comes in past whom he blocks, or who blocks him`() async throws {
        let (first, second) = (try await invite(), try await invite())
        let tablet = try await bob.firstDevice(named: "tablet")
        for name in ["ada", "carol"] {
            try await tablet.lockbook.block(name)
            await #expect(throws: LockbookError.badInvitation(reason: "\(name) is blocked here")) {
                _ = try await tablet.lockbook.acceptInvitation(first.code)
            }
            try tablet.lockbook.unblock(name)
        }
        try await tablet.sync()
        _ = try await tablet.lockbook.acceptInvitation(first.code)
        try await desk.lockbook.block("bob")
        let report = try await desk.sync()
        #expect(report.notes.map(\.detail) == ["bob: is blocked"])
        await tablet.refuses(second.code, "takes nothing of this account")
        try await laptop.sync()
        #expect(try members() == ["carol"])
    }
}
