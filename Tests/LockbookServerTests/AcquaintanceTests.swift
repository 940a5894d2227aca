import Foundation
import LockbookAPI
import LockbookCrypto
import LockbookModel
import SwiftProtobuf
import Testing

@testable import LockbookServer

/// Who is known, who is blocked, and how many strangers may offer something.
struct AcquaintanceTests {
    let server: TestServer
    let ada: TestPerson
    let bob: TestPerson
    let eve: TestPerson

    init() async throws {
        server = try TestServer()
        (ada, bob, eve) = try await TestPerson.three(at: server)
    }

    private static func person(_ name: String, _ seed: UInt8, at server: TestServer) async throws
        -> TestPerson
    {
        var person = try TestPerson(name, seed: seed)
        try await person.register(at: server)
        return person
    }

    private func says(
        _ person: TestPerson,
        _ state: Lockbook_V1_AcquaintRequest.State,
        of other: TestPerson
    ) async throws {
        let _: Lockbook_V1_AcquaintResponse = try await person.send(
            Lockbook_V1_AcquaintRequest.with {
                $0.account = Data(other.account.hash.bytes)
                $0.state = state
            },
            to: .acquaint,
            of: server
        )
    }

    /// Shares a new folder with somebody; nil when it was done.
    private func share(_ owner: inout TestPerson, with other: TestPerson) async throws -> Refused? {
        let folder = try owner.file("f\(UInt64.random(in: 0 ... .max))", type: .folder)
        if owner.isShared {
            owner.head = try await owner.push(
                [ScopeChange(scope: owner.root, records: [owner.record(folder)])],
                in: owner.account,
                after: try #require(owner.head),
                to: server
            )
        } else {
            try await owner.push([owner.record(folder)], to: server)
        }
        var top = folder
        top.scope = top.id
        let change = ScopeChange(
            scope: top.id,
            records: [try owner.record(top)],
            grants: [try owner.grant(top.id, to: other, .read)],
            wraps: [try owner.wrap(top.id, for: other)]
        )
        do {
            owner.head = try await owner.push(
                [change],
                in: owner.account,
                after: try #require(owner.head),
                to: server
            )
        } catch let refused as Refused {
            return refused
        }
        owner.isShared = true
        return nil
    }

    private func offers(to person: TestPerson) async throws -> [Data] {
        let answer: Lockbook_V1_PullResponse = try await person.send(
            Lockbook_V1_PullRequest(),
            to: .pull,
            of: server
        )
        return answer.offers
    }

    @Test func `who is blocked offers nothing more`() async throws {
        var ada = ada
        #expect(try await share(&ada, with: bob) == nil)
        #expect(try await offers(to: bob).count == 1)
        try await says(bob, .blocked, of: ada)

        // What bob accepted before is for a new device of his too.
        #expect(try await offers(to: bob).count == 1)
        #expect(try await share(&ada, with: bob) == .notPermitted)
        #expect(try await share(&ada, with: eve) == nil)
        try await says(bob, .unknown, of: ada)
        #expect(try await share(&ada, with: bob) == nil)
        #expect(try await offers(to: bob).count == 1)
    }

    @Test func `the grants of one entry count together with those that hold`() async throws {
        var ada = ada
        #expect(try await share(&ada, with: bob) == nil)
        let grants = try (0..<ShareLimits.grants).map { _ in
            try ada.grant(FileID(random: .system), to: bob, .read)
        }
        let toEve = try ada.grant(FileID(random: .system), to: eve, .read)
        let id = ada.account
        try await server.folder.store.read { store in
            let owner = try #require(try store.account(id: id))
            try store.refuseUnwanted(grants.dropLast() + [toEve], of: owner)
            #expect(throws: Refusal.self) { try store.refuseUnwanted(grants, of: owner) }
        }
    }

    @Test func `one file is shared with so many accounts, and no more`() async throws {
        var ada = ada
        #expect(try await share(&ada, with: bob) == nil)
        let file = FileID(random: .system)
        let grants = try (0...ShareLimits.members).map { _ in try ada.grant(file, to: bob, .read) }
        let other = try ada.grant(FileID(random: .system), to: bob, .read)
        let id = ada.account
        try await server.folder.store.read { store in
            let owner = try #require(try store.account(id: id))
            try store.refuseUnwanted(grants.dropLast() + [other], of: owner)
            #expect(throws: Refusal.self) { try store.refuseUnwanted(grants, of: owner) }
        }
    }

    @Test func `so many strangers offer something to one account, and no more`() async throws {
        for number in 10..<42 as Range<UInt8> {
            var other = try await Self.person("s\(number)", number, at: server)
            #expect(try await share(&other, with: bob) == nil)
        }
        var ada = ada
        #expect(try await share(&ada, with: bob) == .tooLarge)
        // Whom he knows is no stranger.
        try await says(bob, .known, of: ada)
        #expect(try await share(&ada, with: bob) == nil)
        #expect(try await share(&ada, with: bob) == nil)
    }

    @Test func `so many strangers one account offers something, and no more`() async throws {
        var ada = ada
        for number in 10..<74 as Range<UInt8> {
            let other = try await Self.person("s\(number)", number, at: server)
            #expect(try await share(&ada, with: other) == nil)
        }
        #expect(try await share(&ada, with: bob) == .tooLarge)
        try await says(eve, .known, of: ada)
        #expect(try await share(&ada, with: eve) == nil)
    }
}
