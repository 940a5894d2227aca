import Foundation
import LockbookAPI
import LockbookCrypto
import LockbookModel
import LockbookTestSupport
import SwiftProtobuf
import Testing

@testable import LockbookEngine

/// A server that refuses, rightly or not, what somebody is to be allowed in a share.
struct RefusedShareTests: SharingStories {
    let people: Sharers

    init() throws { people = try Sharers() }

    /// What the server answers to each push.
    struct Answer: Sendable {
        var status: Int
        var code: Lockbook_V1_ErrorResponse.Code
        /// Whether it names the file that the push is about.
        var namesFile = false
        /// Whom it names.
        var named: String?
    }

    /// Pushes that say what somebody may do are refused.
    /// - Parameters:
    ///   - others: whom the answer may name.
    ///   - isMeant: about whom they are.
    func refuse(
        _ answer: Answer,
        _ laptop: Device,
        _ others: [String: Device],
        where isMeant: @escaping @Sendable (AccountID) -> Bool = { _ in true }
    ) throws {
        var refusal = Lockbook_V1_ErrorResponse()
        refusal.code = answer.code
        refusal.message = "no"
        if answer.namesFile || answer.named != nil {
            let id = try laptop.lockbook.info(.path("/team")).id
            refusal.file = Data(try #require(FileID(hex: id)).bytes)
        }
        if let named = answer.named.flatMap({ others[$0] }) {
            let account = AccountID(named.lockbook.keys.publicKeys)
            refusal.grantee = Data(account.hash.bytes)
        }
        let body = Array(try refusal.serializedData() as Data)
        laptop.faults.refuse("/v1/push") { bytes in
            let request = try Lockbook_V1_PushRequest(serializedBytes: Data(bytes))
            let grants = try request.groups.flatMap { try EntryGroup(Array($0)).grants }
            guard grants.contains(where: { isMeant(AccountID($0.grantee)) }) else { return nil }
            return (answer.status, body)
        }
    }

    @Test(arguments: [
        Answer(status: 400, code: .malformed), Answer(status: 403, code: .notPermitted),
        Answer(status: 403, code: .notPermitted, named: "bob"),
        Answer(status: 403, code: .notPermitted, named: "carol"),
        Answer(status: 404, code: .notFound), Answer(status: 404, code: .notFound, named: "bob"),
        Answer(status: 409, code: .nameTaken), Answer(status: 413, code: .tooLarge),
        Answer(status: 413, code: .tooLarge, named: "bob"),
        Answer(status: 422, code: .violation),
        Answer(status: 422, code: .violation, namesFile: true),
    ])
    func `a mode that takes something away is wanted until it is done`(_ answer: Answer)
        async throws
    {
        let (laptop, desk) = try await shared(.write)
        let eve = try await carol.firstDevice(named: "eve's")
        try laptop.lockbook.setShare(.path("/team"), of: "bob", to: .read)
        try refuse(answer, laptop, ["bob": desk, "carol": eve])
        for _ in 1...2 {
            let report = try await laptop.sync()
            #expect(report.notes.map(\.kind) == [.notChanged])
            #expect(
                report.notes.map(\.detail)
                    == ["bob has write as before, and not read: no; the next sync tries again"]
            )
            #expect(try laptop.lockbook.status().shares == 1)
        }
        laptop.faults.tellTruth()
        #expect(try await laptop.sync().notes.isEmpty)
        #expect(try laptop.lockbook.shares().map(\.mode) == [.read])
        #expect(try await desk.sync().notes.map(\.kind) == [.modeChanged])
    }

    @Test(arguments: [
        Answer(status: 400, code: .malformed), Answer(status: 403, code: .notPermitted),
        Answer(status: 403, code: .notPermitted, named: "bob"),
        Answer(status: 403, code: .notPermitted, named: "carol"),
        Answer(status: 404, code: .notFound, named: "bob"),
        Answer(status: 413, code: .tooLarge), Answer(status: 422, code: .violation),
        Answer(status: 422, code: .violation, namesFile: true),
    ])
    func `who is not taken out yet is shown nothing new, and all else is synced`(_ answer: Answer)
        async throws
    {
        let (laptop, desk) = try await shared(.write, holding: ["plan.md", "b.md"])
        let eve = try await carol.firstDevice(named: "eve's")
        for name in ["in", "own"] { try laptop.write("/\(name).md", name) }
        try await laptop.sync()
        try laptop.lockbook.setShare(.path("/team"), of: "bob", to: nil)
        try laptop.write("/team/plan.md", "secret")
        try laptop.write("/team/new.md", "secret")
        try laptop.move("/in.md", to: "/team/in.md")
        try laptop.write("/own.md", "mine")
        try refuse(answer, laptop, ["bob": desk, "carol": eve])
        for pushed in [["/own.md"], []] {
            let report = try await laptop.sync()
            #expect(report.pushed == pushed)
            let kept = report.notes.filter { $0.kind == .notPushed }
            #expect(kept.map(\.path).sorted() == ["/team/in.md", "/team/new.md", "/team/plan.md"])
            let held = "the share is not taken back from bob yet, as the server refused it"
            #expect(kept.allSatisfy { $0.detail == held })
            #expect(
                report.notes.filter { $0.kind != .notPushed }.map(\.detail) == [
                    "bob has write as before, and it is not taken back: no; the next sync tries again"
                ]
            )
            #expect(try laptop.lockbook.status().shares == 1)
            #expect(try await desk.sync().pulled.isEmpty)
        }
        laptop.faults.tellTruth()
        #expect(try await laptop.sync().notes.isEmpty)
        #expect(try laptop.lockbook.status().shares == nil)
        #expect(try await desk.sync().notes.map(\.kind) == [.takenBack])
        let phone = try await ada.device(named: "phone", like: laptop)
        #expect(try await phone.text("/team/plan.md") == "secret")
        #expect(try await phone.text("/team/in.md") == "in")
        try await converge(ada, laptop, phone)
    }

    @Test(arguments: [
        Answer(status: 403, code: .notPermitted),
        Answer(status: 403, code: .notPermitted, named: "carol"),
        Answer(status: 413, code: .tooLarge),
        Answer(status: 422, code: .violation, namesFile: true),
    ])
    func `who is refused for no reason of his own is let in later`(_ answer: Answer) async throws {
        let (laptop, desk) = try await unshared()
        let eve = try await carol.firstDevice(named: "eve's")
        _ = try await laptop.lockbook.share(.path("/team"), with: "bob", mode: .write)
        try refuse(answer, laptop, ["bob": desk, "carol": eve])
        let report = try await laptop.sync()
        #expect(report.notes.map(\.kind) == [.notShared])
        #expect(report.notes.map(\.detail) == ["with bob: no; the next sync tries again"])
        #expect(try laptop.lockbook.shares().map(\.state) == [.waiting])
        laptop.faults.tellTruth()
        #expect(try await laptop.sync().notes.isEmpty)
        try await desk.sync()
        #expect(try desk.lockbook.offers().map(\.name) == ["team"])
    }

    @Test func `what waits can be given up`() async throws {
        let (laptop, desk) = try await unshared()
        _ = try await laptop.lockbook.share(.path("/team"), with: "bob", mode: .write)
        try refuse(Answer(status: 413, code: .tooLarge), laptop, ["bob": desk])
        #expect(try await laptop.sync().notes.map(\.kind) == [.notShared])
        try laptop.lockbook.setShare(.path("/team"), of: "bob", to: nil)
        #expect(try await laptop.sync().notes.isEmpty)
        laptop.faults.tellTruth()
        #expect(try await laptop.sync().notes.isEmpty)
        #expect(try laptop.lockbook.shares().isEmpty)
    }

    @Test(arguments: [
        Answer(status: 403, code: .notPermitted, named: "bob"),
        Answer(status: 413, code: .tooLarge, named: "bob"),
    ])
    func `who takes no offers is not offered it again`(_ answer: Answer) async throws {
        let (laptop, desk) = try await unshared()
        _ = try await laptop.lockbook.share(.path("/team"), with: "bob", mode: .write)
        try refuse(answer, laptop, ["bob": desk])
        #expect(try await laptop.sync().notes.map(\.detail) == ["with bob: no"])
        laptop.faults.tellTruth()
        #expect(try await laptop.sync().notes.isEmpty)
        #expect(try laptop.lockbook.shares().isEmpty)
    }

    @Test func `nobody who is let in keeps a right from being taken away`() async throws {
        let (laptop, desk) = try await shared(.write)
        let eve = try await carol.firstDevice(named: "eve's")
        try await eve.sync()
        try laptop.lockbook.setShare(.path("/team"), of: "bob", to: .read)
        _ = try await laptop.lockbook.share(.path("/team"), with: "carol", mode: .read)
        let carols = AccountID(eve.lockbook.keys.publicKeys)
        try refuse(Answer(status: 413, code: .tooLarge), laptop, [:]) { $0 == carols }
        #expect(
            try await laptop.sync().notes.map(\.detail)
                == ["with carol: no; the next sync tries again"]
        )
        #expect(try await desk.sync().notes.map(\.kind) == [.modeChanged])
        laptop.faults.tellTruth()
        #expect(try await laptop.sync().notes.isEmpty)
        try await eve.sync()
        #expect(try eve.lockbook.offers().map(\.name) == ["team"])
    }

    @Test func `an account without room for its address book syncs all else`() async throws {
        let (laptop, desk) = try await shared(.write)
        let eve = try await carol.firstDevice(named: "eve's")
        try await eve.sync()
        try refuseBook(of: laptop)
        try laptop.write("/own.md", "own")
        try laptop.write("/team/plan.md", "words")
        try laptop.lockbook.setShare(.path("/team"), of: "bob", to: .read)
        _ = try await laptop.lockbook.share(.path("/team"), with: "carol", mode: .read)
        let report = try await laptop.sync()
        #expect(report.notes.map(\.kind) == [.notPushed])
        #expect(report.notes.map(\.path) == ["/"])
        #expect(report.notes.map(\.detail) == ["what your devices know of others: no room"])
        #expect(Set(report.pushed) == ["/own.md", "/team", "/team/plan.md"])
        #expect(try laptop.lockbook.status().changes.isEmpty)
        #expect(try await desk.sync().notes.map(\.kind) == [.modeChanged])
        #expect(try await desk.text("/team/plan.md") == "words")
        try await eve.sync()
        #expect(try eve.lockbook.offers().map(\.name) == ["team"])
        #expect(try await laptop.sync().notes.map(\.kind) == [.notPushed])

        laptop.faults.tellTruth()
        #expect(try await laptop.sync().notes.isEmpty)
        let phone = try await ada.device(named: "phone", like: laptop)
        try await converge(ada, laptop, phone)
    }

    @Test func `the other device is told who has a share now without the address book`()
        async throws
    {
        let (laptop, desk) = try await shared(.write)
        let phone = try await ada.device(named: "phone", like: laptop)
        try refuseBook(of: laptop)
        try await give(laptop, desk)
        try await take(desk)
        try await desk.sync()
        try await laptop.sync()
        let notes = try await phone.sync().notes
        #expect(notes.map { "\($0.kind) \($0.path) \($0.detail)" } == ["transferred /team bob"])
        #expect(try await phone.sync().notes.isEmpty)
    }

    /// The server has no room for the address book.
    func refuseBook(of laptop: Device) throws {
        let root = laptop.lockbook.store.context.root
        var refusal = Lockbook_V1_ErrorResponse()
        refusal.code = .tooLarge
        refusal.message = "no room"
        let body = Array(try refusal.serializedData() as Data)
        laptop.faults.refuse("/v1/push") { bytes in
            let request = try Lockbook_V1_PushRequest(serializedBytes: Data(bytes))
            let files = try request.groups.flatMap {
                try EntryGroup(Array($0)).records.map(\.file)
            }
            return files.contains(root) ? (413, body) : nil
        }
    }

    /// Ada's laptop with `/team`, which nobody else sees, and bob's desk.
    private func unshared() async throws -> (laptop: Device, desk: Device) {
        let laptop = try await ada.firstDevice()
        try laptop.write("/team/plan.md", "plan")
        let desk = try await bob.firstDevice(named: "desk")
        for device in [laptop, desk] { try await device.sync() }
        return (laptop, desk)
    }
}
