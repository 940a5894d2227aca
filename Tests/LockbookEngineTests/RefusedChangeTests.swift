import Foundation
import LockbookAPI
import LockbookCrypto
import LockbookEngine
import LockbookModel
import LockbookTestSupport
import SwiftProtobuf
import Testing

/// A server that will not have some changes, rightly or not: all others go through.
struct RefusedChangeTests: SharingStories {
    let people: Sharers

    init() throws { people = try Sharers() }

    /// Pushes that list one of these files are refused, in its name.
    private func refuse(
        _ ids: [String],
        on device: Device,
        saying words: String = "no such rule"
    ) {
        device.faults.refuse("/v1/push") { body in
            let request = try Lockbook_V1_PushRequest(serializedBytes: Data(body))
            let listed = try request.groups.flatMap {
                try EntryGroup(Array($0)).records.map(\.file)
            }
            guard let file = listed.first(where: { ids.contains($0.description) }) else {
                return nil
            }
            let answer = Lockbook_V1_ErrorResponse.with {
                $0.code = .violation
                $0.message = words
                $0.file = Data(file.bytes)
            }
            return (422, Array(try answer.serializedData()))
        }
    }

    @Test func `what is refused stays here and is told, and all else is synced`() async throws {
        let (laptop, phone) = try await ada.twoDevices(holding: ["a.md": "a", "b.md": "b"])
        for note in ["a.md", "b.md", "new/c.md", "d.md"] { try laptop.write("/\(note)", "words") }
        let refused = try ["/b.md", "/new/c.md"].map { try laptop.lockbook.info(.path($0)).id }
        refuse(refused, on: laptop)

        let report = try await laptop.sync()
        #expect(report.pushed.sorted() == ["/a.md", "/d.md", "/new"])
        #expect(report.notes.map(\.kind) == [.notPushed, .notPushed])
        #expect(report.notes.map(\.path).sorted() == ["/b.md", "/new/c.md"])
        #expect(report.notes.allSatisfy { $0.detail == "no such rule" })
        let changes = try laptop.lockbook.status().changes
        #expect(Set(changes.map(\.id)) == Set(refused))
        #expect(changes.allSatisfy { $0.refused == "no such rule" })
        try await phone.sync()
        #expect(try await phone.text("/d.md") == "words")

        laptop.faults.tellTruth()
        try await converge(ada, laptop, phone)
        #expect(try await phone.text("/new/c.md") == "words")
    }

    @Test func `what is refused in a shared folder keeps anybody new out, who is named`()
        async throws
    {
        let (laptop, _) = try await shared()
        _ = try await carol.firstDevice(named: "phone")
        try laptop.write("/team/plan.md", "words")
        refuse([try laptop.lockbook.info(.path("/team/plan.md")).id], on: laptop)
        _ = try await laptop.lockbook.share(.path("/team"), with: "carol", mode: .read)

        let report = try await laptop.sync()
        let said =
            "it was changed here, and that waits to be pushed; not shared yet with carol"
        #expect(report.notes.allSatisfy { $0.path == "/team/plan.md" })
        #expect(report.notes.map(\.detail).contains(said))
    }

    @Test func `the words of a refusal stand in the report and in the status as one line`()
        async throws
    {
        let laptop = try await ada.firstDevice()
        try laptop.write("/a.md", "words")
        let refused = try laptop.lockbook.info(.path("/a.md")).id
        refuse([refused], on: laptop, saying: "\u{1b}[2J line\nlockbook: fake\u{202e}")

        let said = "\\u001b[2J line\\u000alockbook: fake\\u202e"
        #expect(try await laptop.sync().notes.map(\.detail) == [said])
        #expect(try laptop.lockbook.status().changes.map(\.refused) == [said])
    }

    @Test func `what is refused of a folder takes along what stands in it`() async throws {
        let (laptop, phone) = try await ada.twoDevices(holding: ["a.md": "a"])
        try laptop.write("/new/deep/c.md", "words")
        try laptop.write("/a.md", "words")
        refuse([try laptop.lockbook.info(.path("/new")).id], on: laptop)

        let report = try await laptop.sync()
        #expect(report.pushed == ["/a.md"])
        #expect(Set(report.notes.map(\.path)) == ["/new", "/new/deep", "/new/deep/c.md"])
        laptop.faults.tellTruth()
        try await converge(ada, laptop, phone)
        #expect(try await phone.text("/new/deep/c.md") == "words")
    }

    @Test func `what is refused in a share keeps no other words of a member back`() async throws {
        let (laptop, desk) = try await shared(holding: ["a.md", "b.md"])
        try desk.write("/team/a.md", "words")
        try desk.write("/team/b.md", "words")
        refuse([try desk.lockbook.info(.path("/team/a.md")).id], on: desk)

        let report = try await desk.sync()
        #expect(report.notes.map(\.path) == ["/team/a.md"])
        try await laptop.sync()
        #expect(try await laptop.text("/team/a.md") == "a.md")
        #expect(try await laptop.text("/team/b.md") == "words")
        #expect(try await desk.text("/team/a.md") == "words")
        desk.faults.tellTruth()
        try await converge(bob, desk)
        try await laptop.sync()
        #expect(try await laptop.text("/team/a.md") == "words")
    }

    @Test func `a revoke that waits for a move which is refused is not said to be refused`()
        async throws
    {
        let (laptop, desk) = try await shared(holding: ["plan.md", "x.md", "inner/k.md"])
        let eve = try await carol.firstDevice(named: "eve's")
        try await share("/team/inner", .write, laptop, eve)
        try laptop.lockbook.setShare(.path("/team"), of: "bob", to: nil)
        try laptop.move("/team/x.md", to: "/team/inner/x.md")
        refuse([try laptop.lockbook.info(.path("/team/inner/x.md")).id], on: laptop)
        let first = try await laptop.sync()
        #expect(first.notes.allSatisfy { $0.kind == .notPushed })

        try laptop.write("/team/plan.md", "secret")
        let held =
            "the share is not taken back from bob yet, as what was moved in it has to be synced first"
        let changes = try laptop.lockbook.status().changes
        #expect(changes.map(\.path) == ["/team/inner/x.md", "/team/plan.md"])
        #expect(changes.map(\.heldBack) == [nil, held])
        #expect(changes.map(\.refused) == ["no such rule", nil])
        var options = SyncOptions()
        options.isDryRun = true
        let foreseen = try await laptop.sync(options)
        #expect(foreseen.notes.contains { $0.path == "/team/plan.md" && $0.detail == held })
        #expect(!foreseen.notes.contains { $0.detail.contains("refused") })
        #expect(try laptop.lockbook.status().changes.map(\.heldBack) == [nil, held])

        laptop.faults.tellTruth()
        try await laptop.sync()
        #expect(try laptop.lockbook.status().changes.isEmpty)
        #expect(try laptop.lockbook.status().shares == nil)
        #expect(try await desk.sync().notes.map(\.kind) == [.takenBack])
        try await eve.sync()
        #expect(try await eve.text("/inner/x.md") == "x.md")
    }

    @Test func `a server that refuses everything is not asked for ever`() async throws {
        let laptop = try await ada.firstDevice()
        for number in 1...100 { try laptop.write("/\(number)", "words") }
        refuse(try laptop.lockbook.list(.path("/"), recursive: true).map(\.id), on: laptop)
        _ = laptop.faults.takeRequests()
        await #expect(throws: LockbookError.refused(reason: "no such rule")) {
            try await laptop.sync()
        }
        #expect(laptop.faults.takeRequests().count < 100)
        #expect(try await laptop.text("/100") == "words")
        laptop.faults.tellTruth()
        try await converge(ada, laptop)
    }
}
