import Foundation
import LockbookAPI
import LockbookModel
import LockbookTestSupport
import SwiftProtobuf
import Testing

@testable import LockbookEngine

/// A server shows an account to each device of another one under another name, at the same time.
struct TwoNamesTests: SharingStories {
    let people: Sharers

    init() throws { people = try Sharers() }

    @Test func `who was met under two names is blocked by either`() async throws {
        let laptop = try await ada.firstDevice(holding: ["/plan.md": "plan"])
        let desk = try await bob.firstDevice(named: "desk")
        let phone = try await bob.device(named: "phone", like: desk)
        _ = try await laptop.lockbook.share(.path("/plan.md"), with: "bob", mode: .read)
        try await laptop.sync()
        let other = try AccountCertificate(
            username: try #require(Username("aaron")),
            keys: laptop.lockbook.keys,
            created: Timestamp(milliseconds: 1)
        ).bytes
        phone.faults.lie("/v1/pull") { body in
            var answer = try Lockbook_V1_PullResponse(serializedBytes: Data(body))
            if !answer.offers.isEmpty { answer.offers = [Data(other)] }
            return Array(try answer.serializedData() as Data)
        }
        desk.faults.before("/v1/push") { _ = try await phone.sync() }
        try await desk.sync()
        #expect(try desk.lockbook.offers().map(\.from) == ["ada"])
        #expect(try phone.lockbook.offers().map(\.from) == ["aaron"])

        try await desk.lockbook.block("ada")
        #expect(try desk.lockbook.offers() == [])
        try await desk.sync()
        try await phone.sync()
        #expect(try phone.lockbook.offers() == [])
    }
}
