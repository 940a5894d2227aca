import LockbookCrypto
import LockbookModel
import LockbookTestSupport
import Testing

@testable import LockbookEngine

/// A share around another one has more members than an entry can tell of.
struct CrowdedShareTests: SharingStories {
    let people: Sharers

    init() throws { people = try Sharers() }

    /// Has a shared file be shared with as many accounts more, as this device knows it.
    private func crowd(_ path: String, with count: Int, on device: Device) throws {
        let lockbook = device.lockbook
        try lockbook.store.write { tree in
            let file = try tree.find(.path(path)).id
            for _ in 0..<count {
                let member = try AccountKeys(
                    seed: try #require(AccountSeed(RandomSource.system.bytes(32)))
                )
                try tree.keep(
                    Grant(
                        owner: tree.owner,
                        file: file,
                        grantee: member.publicKeys,
                        named: try #require(Username("member")),
                        mode: .read,
                        grantor: tree.owner,
                        serial: 1,
                        created: Timestamp(milliseconds: 1),
                        signedBy: lockbook.keys.signing
                    )
                )
            }
        }
    }

    @Test func `keeps nothing but a share inside of it from being done`() async throws {
        let (laptop, desk) = try await shared(holding: ["part/a.md"])
        try crowd("/team", with: EntryGroup.maximumGrantCount, on: laptop)
        _ = try await carol.firstDevice(named: "tablet")
        _ = try await laptop.lockbook.share(.path("/team/part"), with: "carol", mode: .read)
        try laptop.write("/team/part/a.md", "more")

        let notes = try await laptop.sync().notes
        #expect(notes.map { "\($0.kind) \($0.path)" } == ["notPushed /team/part"])
        #expect(notes.first?.detail.hasSuffix("; not shared yet with carol") == true)
        try await desk.sync()
        #expect(try await desk.text("/team/part/a.md") == "more")
        try laptop.lockbook.setShare(.path("/team/part"), of: "carol", to: nil)
        #expect(try await laptop.sync().notes == [])
    }

    @Test func `keeps nothing but a share that was moved into it from being pushed`() async throws {
        let (laptop, _) = try await shared(holding: ["a.md"])
        let phone = try await ada.device(named: "phone", like: laptop)
        _ = try await carol.firstDevice(named: "tablet")
        try laptop.write("/part/b.md", "b")
        _ = try await laptop.lockbook.share(.path("/part"), with: "carol", mode: .read)
        try await laptop.sync()
        try crowd("/team", with: EntryGroup.maximumGrantCount, on: laptop)
        try laptop.move("/part", to: "/team")
        try laptop.write("/own.md", "own")

        let notes = try await laptop.sync().notes
        #expect(notes.map { "\($0.kind) \($0.path)" } == ["notPushed /team/part"])
        #expect(notes.first?.detail.contains("more than 1000 members") == true)
        try await phone.sync()
        #expect(try await phone.text("/own.md") == "own")
        #expect(try await phone.text("/part/b.md") == "b")
        try laptop.move("/team/part", to: "/")
        #expect(try await laptop.sync().notes == [])
    }
}
