import LockbookTestSupport
import Testing

@testable import LockbookEngine

/// Accounts whose names are easily taken for each other.
struct LookAlikeTests: SharingStories {
    let people: Sharers

    init() throws { people = try Sharers() }

    @Test func `a name that reads like one that was met is told apart`() async throws {
        let laptop = try await ada.firstDevice()
        try laptop.write("/a.md", "a")
        let desk = try await bob.firstDevice(named: "desk")
        try await desk.sync()
        _ = try await laptop.lockbook.share(.path("/a.md"), with: "bob", mode: .read)

        for name in ["b0b", "bo-b"] { #expect(try laptop.lockbook.lookAlike(of: name) == "bob") }
        #expect(try laptop.lockbook.lookAlike(of: "bob") == nil)
        #expect(try laptop.lockbook.lookAlike(of: "rob") == nil)
        #expect(try laptop.lockbook.lookAlike(of: "ad-a") == "ada")
        try await laptop.sync()
        let phone = try await ada.device(named: "phone", like: laptop)
        #expect(try phone.lockbook.lookAlike(of: "b0b") == "bob")
    }

    @Test func `an offer of whose name reads like one that was met is told apart`() async throws {
        let (_, desk) = try await shared()
        let other = try await Person("a-da", on: people.server).firstDevice()
        try other.write("/forged.md", "forged")
        try await other.sync()
        _ = try await other.lockbook.share(.path("/forged.md"), with: "bob", mode: .read)
        try await other.sync()
        try await desk.sync()

        let alike = try #require(try desk.lockbook.lookAlike(ofOffer: "a-da/forged.md"))
        #expect(alike.owner == "a-da" && alike.known == "ada")
        _ = try await desk.lockbook.verify("a-da") { _ in true }
        #expect(try desk.lockbook.lookAlike(ofOffer: "a-da/forged.md") == nil)
    }
}
