import Foundation
import LockbookAPI
import LockbookCrypto
import LockbookModel
import LockbookTestSupport
import SwiftProtobuf
import Testing

@testable import LockbookEngine

/// What the owner of a share decides about its members while another account takes it over.
struct TransferMembersTests: SharingStories {
    let people: Sharers
    let laptop: Device
    let desk: Device
    let tablet: Device
    let phone: Device

    /// Ada shares a folder with bob and eve and offers it to bob; dan has an account.
    init() async throws {
        people = try Sharers()
        laptop = try await people.ada.firstDevice(holding: ["/team/plan.md": "plan"])
        desk = try await people.bob.firstDevice(named: "desk")
        tablet = try await Person("eve", on: people.server).firstDevice(named: "tablet")
        phone = try await Person("dan", on: people.server).firstDevice(named: "phone")
        for device in [desk, tablet] { try await share("/team", .write, laptop, device) }
        try await give(laptop, desk)
    }

    private func take() async throws {
        try await take(desk)
    }

    /// Everybody's syncs until nothing is left to do, and who may see the new share then.
    private func members() async throws -> [String] {
        for _ in 0..<4 {
            for device in [laptop, desk, tablet, phone] { try await device.sync() }
        }
        for device in [laptop, desk, tablet, phone] {
            #expect(try device.lockbook.validate() == [])
            let report = try await device.sync()
            #expect(report.pulled.isEmpty && report.pushed.isEmpty)
        }
        return try desk.lockbook.shares(of: .path("/team")).map { "\($0.username) \($0.mode)" }
    }

    private func takeOut(_ name: String) throws {
        try laptop.lockbook.setShare(.path("/team"), of: name, to: nil)
    }

    @Test(arguments: [false, true])
    func `who was taken out is not let in again by who did not know it yet`(isPushed: Bool)
        async throws
    {
        if !isPushed { try await take() }
        try takeOut("eve")
        try await laptop.sync()
        try laptop.write("/team/secret.md", "secret")
        try await laptop.sync()
        if isPushed { try await take() }

        #expect(try await members() == ["ada admin"])
        #expect(try await desk.text("/team/secret.md") == "secret")
        #expect(try tablet.paths().isEmpty && tablet.lockbook.offers().isEmpty)
    }

    @Test func `who is taken out when the copy is shared already is taken out of that`()
        async throws
    {
        try await take()
        try await desk.sync()
        try takeOut("eve")
        try laptop.write("/team/secret.md", "secret")
        // Nothing of it goes there before.
        laptop.faults.next("/v1/push", .answerLost)
        await #expect(throws: LockbookError.self) { try await laptop.sync() }
        try await tablet.sync()
        #expect(try !tablet.paths().contains("/team/secret.md"))

        #expect(try await members() == ["ada admin"])
        #expect(try await desk.text("/team/secret.md") == "secret")
        #expect(try tablet.paths().isEmpty && tablet.lockbook.offers().isEmpty)
    }

    @Test func `both decide at once, and neither knows of the other`() async throws {
        try await take()
        try takeOut("eve")
        // Each has pulled before the other pushes.
        laptop.faults.before("/v1/push") { [desk] in try await desk.sync() }
        try await laptop.sync()
        #expect(try await members() == ["ada admin"])
    }

    @Test(arguments: [false, true])
    func `who may do less there may do less in the copy`(isShared: Bool) async throws {
        try await take()
        if isShared { try await desk.sync() }
        try laptop.lockbook.setShare(.path("/team"), of: "eve", to: .read)
        try await laptop.sync()
        #expect(try await members() == ["ada admin", "eve read"])
        #expect(throws: LockbookError.self) { try tablet.write("/team/plan.md", "mine") }
    }

    @Test func `who was let in meanwhile is in the copy`() async throws {
        try await take()
        _ = try await laptop.lockbook.share(.path("/team"), with: "dan", mode: .write)
        try await laptop.sync()
        try await phone.sync()
        let offer = try #require(try phone.lockbook.offers().first)
        _ = try phone.lockbook.acceptShare(id: offer.id)

        #expect(try await members() == ["ada admin", "dan write", "eve write"])
        #expect(try await phone.text("/team/plan.md") == "plan")
    }

    @Test func `of whom the new owner did not know it is told that he is not let in`() async throws
    {
        _ = try await laptop.lockbook.share(.path("/team"), with: "dan", mode: .write)
        try await laptop.sync()
        try await take()
        try await desk.sync()
        let report = try await laptop.sync()
        #expect(report.notes.contains { $0.kind == .notDone && $0.detail.contains("dan") })
        #expect(try await members() == ["ada admin", "eve write"])
    }

    @Test func `that is told once, however often the share cannot be taken back yet`()
        async throws
    {
        try laptop.lockbook.setShare(.path("/team"), of: "eve", to: .admin)
        try await laptop.sync()
        try await tablet.sync()
        _ = try await tablet.lockbook.share(.path("/team"), with: "dan", mode: .write)
        try await tablet.sync()
        try await take()
        try await desk.sync()
        let refusal: [UInt8] = try Lockbook_V1_ErrorResponse.with {
            $0.code = .notPermitted
            $0.message = "not now"
        }.serializedBytes()
        laptop.faults.refuse("/v1/push") { _ in (403, refusal) }
        func told() async throws -> Int {
            try await laptop.sync().notes.count { $0.detail.contains("for its new owner to say") }
        }
        #expect(try await told() == 1)
        #expect(try await told() == 0)
        laptop.faults.tellTruth()
        #expect(try await told() == 0)
        #expect(try await members() == ["ada admin", "eve write"])
    }

    @Test func `who comes by an invitation while it goes over is in the copy`() async throws {
        let code = try await laptop.lockbook.invite(
            .path("/team"),
            mode: .write,
            lasting: 86_400_000
        ).code
        try await laptop.sync()
        try await take()
        try await desk.sync()
        _ = try await phone.lockbook.acceptInvitation(code)
        #expect(try await members() == ["ada admin", "dan write", "eve write"])
        #expect(try await phone.text("/team/plan.md") == "plan")
    }

    @Test func `what is not for the earlier owner to do is told`() async throws {
        try await take()
        try await desk.sync()
        try desk.lockbook.setShare(.path("/team"), of: "ada", to: .write)
        try await desk.sync()
        try takeOut("eve")
        let report = try await laptop.sync()
        #expect(report.notes.contains { $0.kind == .notDone && $0.detail.contains("eve") })
        #expect(try await members() == ["ada write", "eve write"])
    }

    /// Whoever writes there says what a file is a copy of.
    @Test(arguments: [false, true])
    func `a folder is no copy of a document, nor a document of a folder`(isFolder: Bool)
        async throws
    {
        try laptop.write("/team/deep/note.md", "note")
        try await laptop.sync()
        try await desk.sync()
        try await take()
        let copied = isFolder ? "/team/plan.md" : "/team/deep"
        let lying = isFolder ? "/team/evil/" : "/team/evil.md"
        _ = try desk.lockbook.create(path: lying)
        let id = try #require(FileID(hex: try laptop.lockbook.info(.path(copied)).id))
        try desk.lockbook.store.write { tree in
            for row in try tree.changedRows() where row.base == nil {
                var file = try tree.file(row)
                var mark = FileMark(reading: file.bodyExtension)
                let isLiar = file.name.text.hasPrefix("evil")
                guard isLiar || mark.origin?.file == id else { continue }
                mark.origin = isLiar ? FileMark.Origin(file: id, version: nil, copy: nil) : nil
                file.bodyExtension = mark.bytes
                try tree.put(file)
            }
        }
        try await desk.sync()
        try laptop.write("/team/plan.md", "plan, and more")
        try laptop.write("/team/deep/new.md", "new")

        _ = try await members()
        #expect(try laptop.lockbook.status().transfers == nil)
        let texts = try await texts(of: desk)
        #expect(texts.contains("plan, and more") && texts.contains("new"))
    }

    private func texts(of device: Device) async throws -> [String] {
        var texts: [String] = []
        for info in try device.lockbook.list(.path("/team"), recursive: true)
        where info.type == .document { texts.append(try await device.text(info.path)) }
        return texts
    }

    @Test func `a member's name that was another account's, which is gone, has other keys`()
        async throws
    {
        let stranger = try AccountKeys(
            seed: try #require(AccountSeed(Array(repeating: 7, count: 32)))
        )
        let end = try AccountEnd(created: Timestamp(milliseconds: 5), by: stranger)
        desk.faults.refuse("/v1/account") { _ in
            let answer = Lockbook_V1_ErrorResponse.with {
                $0.code = .ended
                $0.end = Data(end.bytes)
            }
            return (410, Array(try answer.serializedData() as Data))
        }
        await #expect(throws: LockbookError.keyChanged(username: "eve")) { try await take() }
        #expect(try desk.lockbook.shares() == [])

        desk.faults.tellTruth()
        try await take()
        #expect(try await members() == ["ada admin", "eve write"])
    }
}
