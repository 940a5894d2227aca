import Foundation
import LockbookAPI
import LockbookCrypto
import LockbookEngine
import LockbookModel
import LockbookTestSupport
import SwiftProtobuf
import Testing

/// What a server that lies about shares is believed: nothing.
struct SharingLiesTests {
    let server: TestServer
    let laptop: Device
    let desk: Device

    init() async throws {
        server = try TestServer()
        laptop = try await Person("ada", on: server).firstDevice()
        try laptop.write("/team/plan.md", "plan")
        try await laptop.sync()
        desk = try await Person("bob", on: server).firstDevice(named: "desk")
        _ = try await laptop.lockbook.share(.path("/team"), with: "bob", mode: .write)
        try await laptop.sync()
        try await desk.sync()
        let offer = try #require(try desk.lockbook.offers().first)
        _ = try desk.lockbook.acceptShare(id: offer.id)
        try await desk.sync()
    }

    /// The next sync of bob's device stops, and changes nothing that he sees.
    private func isRefused(
        _ lie: @escaping @Sendable (inout Lockbook_V1_PullResponse) -> Void,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let before = try await desk.snapshot()
        desk.faults.lie("/v1/pull") { body in
            var response = try Lockbook_V1_PullResponse(serializedBytes: Data(body))
            lie(&response)
            return Array(try response.serializedData() as Data)
        }
        await #expect(sourceLocation: sourceLocation) {
            try await desk.sync()
        } throws: { error in
            if case LockbookError.integrity = error { true } else { false }
        }
        #expect(try await desk.snapshot() == before, sourceLocation: sourceLocation)
        desk.faults.tellTruth()
        try await desk.sync()
    }

    /// The server's own keys under a name.
    private func impostor(_ name: String) throws -> [UInt8] {
        try AccountCertificate(
            username: try #require(Username(name)),
            keys: try AccountKeys(
                seed: try #require(AccountSeed(Array(repeating: 7, count: 32)))
            ),
            created: Timestamp(milliseconds: 1)
        ).bytes
    }

    @Test func `a name with other keys than before stops everything`() async throws {
        let forged = try impostor("bob")
        try laptop.write("/other.md", "x")
        try await laptop.sync()
        laptop.faults.lie("/v1/account") { _ in
            Array(
                try Lockbook_V1_AccountResponse.with { $0.certificate = Data(forged) }
                    .serializedData() as Data
            )
        }
        _ = laptop.faults.takeRequests()

        await #expect(throws: LockbookError.keyChanged(username: "bob")) {
            _ = try await laptop.lockbook.share(.path("/other.md"), with: "bob", mode: .read)
        }
        await #expect(throws: LockbookError.keyChanged(username: "bob")) {
            _ = try await laptop.lockbook.verify("bob") { _ in true }
        }
        try await laptop.sync()
        #expect(!laptop.faults.takeRequests().contains("/v1/push"))
        #expect(try laptop.lockbook.shares().map(\.path) == ["/team"])
    }

    @Test func `that this account is unknown in another's log keeps no own change back`()
        async throws
    {
        try desk.write("/own.md", "own")
        try desk.write("/team/plan.md", "new plan")
        desk.faults.refuse("/v1/push") { body in
            let request = try Lockbook_V1_PushRequest(serializedBytes: Data(body))
            let header = try EntryHeader(Array(request.header))
            guard header.log != header.author else { return nil }
            let answer = Lockbook_V1_ErrorResponse.with { $0.code = .noAccount }
            return (404, Array(try answer.serializedData() as Data))
        }

        await #expect {
            try await desk.sync()
        } throws: { error in
            guard case LockbookError.refused(let reason) = error else { return false }
            return reason.hasPrefix("of what ada shares with you: it says that it has no account")
        }

        let phone = try await Person("bob", on: server).device(named: "phone", like: desk)
        try await phone.sync()
        #expect(try await phone.text("/own.md") == "own")
        desk.faults.tellTruth()
        try await desk.sync()
        try await laptop.sync()
        #expect(try await laptop.text("/team/plan.md") == "new plan")
    }

    @Test func `an offer under a name with other keys stops each sync until that is blocked`()
        async throws
    {
        let phone = try await Person("bob", on: server).device(named: "phone", like: desk)
        let forged = try impostor("ada")
        for device in [desk, phone] {
            device.faults.lie("/v1/pull") { body in
                var response = try Lockbook_V1_PullResponse(serializedBytes: Data(body))
                response.offers.append(Data(forged))
                return Array(try response.serializedData() as Data)
            }
        }
        try laptop.write("/team/plan.md", "new plan")
        try await laptop.sync()
        for _ in 0..<2 {
            await #expect(throws: LockbookError.keyChanged(username: "ada")) {
                try await desk.sync()
            }
        }
        try await desk.lockbook.block("ada")
        try await desk.sync()
        try await phone.sync()
        // What was accepted of who had the name first goes on.
        #expect(try await phone.text("/team/plan.md") == "new plan")
        try desk.write("/team/plan.md", "newer plan")
        try await desk.sync()
        try await laptop.sync()
        #expect(try await laptop.text("/team/plan.md") == "newer plan")
        #expect(try desk.lockbook.offers() == [])

        try desk.lockbook.unblock("ada")
        await #expect(throws: LockbookError.keyChanged(username: "ada")) { try await desk.sync() }
    }

    @Test func `a revoke that is called somebody else's is missed`() async throws {
        try laptop.lockbook.setShare(.path("/team"), of: "bob", to: nil)
        try await laptop.sync()

        try await isRefused { response in
            for index in response.logs[1].entries.indices {
                response.logs[1].entries[index].hideGroups()
            }
        }
        #expect(try desk.paths().isEmpty)
    }

    @Test func `a record that is kept back is missed`() async throws {
        try laptop.write("/team/plan.md", "new plan")
        try await laptop.sync()

        try await isRefused { $0.logs[1].records = [] }
        #expect(try await desk.text("/team/plan.md") == "new plan")
    }

    @Test func `an entry that is kept back breaks the chain`() async throws {
        try laptop.write("/team/plan.md", "one")
        try await laptop.sync()
        try laptop.write("/team/plan.md", "two")
        try await laptop.sync()

        try await isRefused { $0.logs[1].entries.removeFirst() }
        #expect(try await desk.text("/team/plan.md") == "two")
    }

    @Test func `an entry of a stranger is not believed, and one of a reader neither`() async throws
    {
        try laptop.lockbook.setShare(.path("/team"), of: "bob", to: .read)
        try await laptop.sync()
        try await desk.sync()
        let offers = try desk.lockbook.list(.path("/team"), recursive: false)
        #expect(offers.map(\.path) == ["/team/plan.md"])
        #expect(throws: LockbookError.readOnly(path: "/team/plan.md")) {
            try desk.write("/team/plan.md", "still mine")
        }
        try laptop.write("/team/plan.md", "newer")
        try await laptop.sync()

        try await isRefused { response in
            var header = response.logs[1].entries[0].header
            // The author: behind format, log, position and previous.
            header[73] ^= 1
            response.logs[1].entries[0].header = header
        }
    }

    @Test func `the log of somebody else is not taken for the one that was asked for`()
        async throws
    {
        try laptop.write("/team/plan.md", "newer")
        try await laptop.sync()

        try await isRefused { response in
            response.logs[1].log = response.logs[0].log
        }
    }
}

extension Lockbook_V1_Entry {
    /// As the server would show the entry to somebody who may see nothing of it.
    fileprivate mutating func hideGroups() {
        groups = groups.map { group in
            guard case .whole(let bytes) = group.content,
                let parsed = try? EntryGroup(Array(bytes))
            else { return group }
            var hidden = Lockbook_V1_Group()
            hidden.hidden =
                Data(parsed.scope.bytes) + Data(EntryGroup.hash(of: Array(bytes)).bytes)
            return hidden
        }
    }
}
