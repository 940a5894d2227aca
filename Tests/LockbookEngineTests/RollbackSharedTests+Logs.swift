import Foundation
import LockbookAPI
import LockbookCrypto
import LockbookModel
import LockbookTestSupport
import SwiftProtobuf
import Testing

@testable import LockbookEngine

/// Logs of others that the restored server does not show any more.
extension RollbackSharedTests {
    @Test func `what somebody shared since the backup keeps nothing from being synced`()
        async throws
    {
        let (laptop, desk) = try await sharedSince { _, desk in
            try desk.write("/team/words.md", "words")
        }
        try await accept(desk)
        try desk.write("/own.md", "own")
        #expect(try await desk.sync().pushed == ["/own.md"])
        try await accept(laptop)
        // Shared again, it is the same share, and the word of bob holds.
        try await desk.sync()
        try await isWhole(bob, desk)
        try await isWhole(ada, laptop)
        #expect(try desk.paths().contains("/team"))
        #expect(try await laptop.text("/team/words.md") == "words")
    }

    @Test(arguments: [false, true])
    func `a share that went to another owner since the backup is not lost`(oldFirst: Bool)
        async throws
    {
        let (laptop, desk) = try await shared()
        try await losing {
            _ = try laptop.lockbook.transfer(.path("/team"), to: "bob")
            try await laptop.sync()
            try await desk.sync()
            let offer = try #require(try desk.lockbook.offers().first)
            _ = try await desk.lockbook.accept(id: offer.id)
            for device in [desk, laptop, desk, laptop] { try await device.sync() }
            try desk.write("/team/late.md", "late")
            try await desk.sync()
            try await laptop.sync()
        }
        if oldFirst { try await accept(laptop, desk) } else { try await accept(desk, laptop) }
        try await accept(laptop, desk, laptop)
        for device in [laptop, desk, laptop, desk] { try await device.sync() }
        #expect(try await desk.text("/team/late.md") == "late")
        #expect(try await laptop.text("/team/late.md") == "late")
        #expect(try await laptop.text("/team/plan.md") == "plan.md")
        try await isWhole(bob, desk)
        try await isWhole(ada, laptop)
    }

    @Test(arguments: [false, true])
    func `a server from before all that somebody shared is told as one that is behind`(
        isTakenBack: Bool
    ) async throws {
        let laptop = try await ada.firstDevice()
        let desk = try await bob.firstDevice(named: "desk")
        try laptop.write("/team/plan.md", "plan")
        try desk.write("/bobs.md", "bob's")
        for device in [laptop, desk] { try await device.sync() }
        // They have met, and bob's own log says so.
        _ = try await desk.lockbook.share(.path("/bobs.md"), with: "ada", mode: .read)
        for device in [desk, laptop] { try await device.sync() }
        try await losing {
            _ = try await laptop.lockbook.share(.path("/team"), with: "bob", mode: .write)
            try await laptop.sync()
            try await desk.sync()
            guard isTakenBack else { return }
            // That a right ended is told, and no more refused than before.
            try await takeBack(laptop)
            for _ in 1...2 { try await desk.sync() }
            #expect(try desk.lockbook.offers().isEmpty)
        }
        try desk.write("/own.md", "own")
        await #expect {
            try await desk.sync()
        } throws: { error in
            guard case LockbookError.rolledBack(_, let shown, let sharer) = error else {
                return false
            }
            return shown == 0 && sharer == "ada"
        }
        try await accept(desk)
        #expect(try await desk.sync().notes.isEmpty)
        try await isWhole(bob, desk)
    }

    @Test func `that an account is unknown, said of another one's log, takes back nothing here`()
        async throws
    {
        let (_, desk) = try await shared()
        try desk.write("/own.md", "own")
        try await desk.sync()
        let own = Data(desk.lockbook.store.context.owner.hash.bytes)
        desk.faults.refuse("/v1/pull") { body in
            let request = try Lockbook_V1_PullRequest(serializedBytes: Data(body))
            guard request.logs.first?.log != own else { return nil }
            let answer = Lockbook_V1_ErrorResponse.with { $0.code = .noAccount }
            return (404, Array(try answer.serializedData() as Data))
        }
        try desk.write("/late.md", "late")
        await #expect {
            try await accept(desk)
        } throws: { error in
            guard case LockbookError.refused(let reason) = error else { return false }
            return reason.hasPrefix("of what ada shares with you: it says that it has no account")
        }
        // It keeps nothing of his own from being pushed.
        let phone = try await bob.device(named: "phone", like: desk)
        try await phone.sync()
        #expect(try await phone.text("/late.md") == "late")
        desk.faults.tellTruth()
        let report = try await desk.sync()
        #expect(report.pushed == [] && report.rollback == nil)
        #expect(try desk.paths() == ["/late.md", "/own.md", "/team", "/team/plan.md"])
        try await isWhole(bob, desk)
    }
}
