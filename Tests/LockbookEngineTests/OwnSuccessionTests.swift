import LockbookCrypto
import LockbookModel
import LockbookTestSupport
import Testing

@testable import LockbookEngine

/// An owner who says of what he shares that he took it over from himself.
struct OwnSuccessionTests: SharingStories {
    let people: Sharers

    init() throws { people = try Sharers() }

    @Test func `it is an offer like any other, and ends nobody's sync`() async throws {
        let laptop = try await ada.firstDevice()
        let desk = try await bob.firstDevice(named: "desk")
        try laptop.write("/plan.md", "plan")
        try await laptop.sync()
        try laptop.lockbook.store.write { tree in
            var file = try tree.file(try #require(try tree.find(path: "/plan.md")))
            let offer = try TransferOffer(
                of: file.id,
                to: tree.owner,
                number: 1,
                created: tree.environment.now(),
                by: tree.keys
            )
            var mark = FileMark(reading: file.bodyExtension)
            mark.successions = [
                try Succession(
                    to: offer,
                    with: file.id,
                    created: tree.environment.now(),
                    by: tree.keys
                )
            ]
            file.bodyExtension = mark.bytes
            try tree.put(file)
        }
        _ = try await laptop.lockbook.share(.path("/plan.md"), with: "bob", mode: .read)
        try await laptop.sync()

        try await desk.sync()
        let offer = try #require(try desk.lockbook.offers().first)
        #expect(offer.from == "ada" && offer.name == "plan.md")
        _ = try desk.lockbook.acceptShare(id: offer.id)
        try await desk.sync()
        #expect(try desk.lockbook.offers().isEmpty)
    }
}
