import LockbookCrypto
import LockbookModel
import LockbookTestSupport
import Testing

@testable import LockbookEngine

/// What is decided, cut off or made up while a share with others inside of it gets another owner.
extension NestedTransferTests {
    @Test func `taken back, all of it is an ordinary share again`() async throws {
        try await give(laptop, desk)
        #expect(
            throws: LockbookError.badShare(
                path: "/team/sub",
                reason: "it is given away with what it stands in, /team"
            )
        ) {
            try laptop.lockbook.cancelTransfer(.path("/team/sub"))
        }
        #expect(
            throws: LockbookError.badShare(
                path: "/team/sub",
                reason: "/team/sub is offered to bob to keep; "
                    + "`lockbook share transfer --cancel` of /team takes that back"
            )
        ) {
            try laptop.move("/team/sub", to: "/")
        }
        _ = try laptop.lockbook.cancelTransfer(.path("/team"))
        try await settle()
        #expect(try laptop.lockbook.status().transfers == nil)
        #expect(try desk.lockbook.offers().isEmpty)
        try laptop.lockbook.setShare(.path("/team"), of: "bob", to: nil)
        try await settle()
        #expect(try desk.paths().isEmpty)
        #expect(try await tablet.text("/from ada/part/note.md") == "note")
    }

    @Test func `taken back while it was accepted, nobody's link goes over`() async throws {
        try await give(laptop, desk)
        try await take(desk)
        try await desk.sync()
        try laptop.lockbook.setShare(.path("/team"), of: "bob", to: nil)
        try await settle()
        #expect(try laptop.lockbook.shares(of: .path("/team/sub")).count == 2)
        #expect(try tablet.lockbook.offers().map(\.from) == ["bob"])
        try tablet.write("/from ada/part/note.md", "by carol")
        try await settle()
        try laptop.lockbook.setShare(.path("/team/sub"), of: "carol", to: .read)
        try await settle()
        #expect(try await laptop.text("/team/sub/note.md") == "by carol")
        #expect(try await desk.text("/team/sub/note.md") == "note")
        try laptop.lockbook.setShare(.path("/team/sub"), of: "carol", to: nil)
        try await settle()
        #expect(try tablet.paths() == ["/from ada/"])
    }

    /// Cuts a sync off at one of its pushes, which the server has taken.
    func cutOff(_ device: Device, at push: Int) async {
        let faults = device.faults
        for number in 1..<push {
            faults.before("/v1/push") {
                if number == push - 1 { faults.next("/v1/push", .answerLost) }
            }
        }
        if push == 1 { faults.next("/v1/push", .answerLost) }
        await #expect(throws: LockbookError.self) { try await device.sync() }
    }

    @Test(arguments: 1...3, 1...3)
    func `a sync that is cut off is gone on with by the next`(new: Int, old: Int) async throws {
        try await give(laptop, desk)
        try await take(desk)
        for (device, push) in [(desk, new), (laptop, old)] {
            await cutOff(device, at: push)
            for other in [tablet, phone] {
                try await other.sync()
                #expect(try other.lockbook.validate() == [])
            }
            try await device.sync()
        }
        for _ in 0..<3 { for device in devices { try await device.sync() } }
        #expect(try members() == ["carol write", "dan write"])
        try await isHandedOver()
    }

    /// The whole is taken back then, and the inner one is not.
    @Test func `what an admin decides before the inner one is taken back holds in the copy`()
        async throws
    {
        try laptop.lockbook.setShare(.path("/team/sub"), of: "carol", to: .admin)
        try await settle()
        try await give(laptop, desk)
        try await take(desk)
        try await desk.sync()
        await cutOff(laptop, at: 1)
        try await tablet.sync()
        try tablet.lockbook.setShare(FileReference("/from ada/part"), of: "dan", to: nil)
        try await tablet.sync()
        for _ in 0..<3 { for device in devices { try await device.sync() } }
        #expect(try members() == ["carol admin"])
        try await isHandedOver()
    }

    @Test func `the inner ones are shared before the whole is`() async throws {
        try await give(laptop, desk)
        try await take(desk)
        // The files, then the inner one; the whole is not.
        await cutOff(desk, at: 2)
        #expect(try members().count == 2)
        #expect(try await laptop.sync().notes.isEmpty)
        #expect(try laptop.lockbook.status().transfers == 1)
        try await tablet.sync()
        #expect(try tablet.lockbook.offers().isEmpty)
        for _ in 0..<3 { for device in devices { try await device.sync() } }
        try await isHandedOver()
    }

    private func ada(like device: Device) async throws -> Device {
        try await people.ada.device(named: "second", like: device)
    }

    @Test func `something else in it that is shared meanwhile, by who knew nothing, ends it`()
        async throws
    {
        let second = try await ada(like: laptop)
        _ = try await second.lockbook.share(.path("/team/sub/deep"), with: "carol", mode: .read)
        try await give(laptop, desk)
        #expect(
            try await second.sync().notes.map { "\($0.kind) \($0.path) \($0.detail)" } == [
                "notDone /team bob is not given it, "
                    + "as /team/sub/deep, in it, is shared by itself now"
            ]
        )
        try await settle()
        #expect(try desk.lockbook.offers().isEmpty)
        #expect(try laptop.lockbook.status().transfers == nil)
        #expect(try await tablet.text("/from ada/part/note.md") == "note")
    }

    @Test func `what is to be shared in it when it was accepted is for the new owner to share`()
        async throws
    {
        let second = try await ada(like: laptop)
        _ = try await second.lockbook.share(.path("/team/sub/deep"), with: "carol", mode: .read)
        try await give(laptop, desk)
        try await take(desk)
        try await desk.sync()
        let notes = try await second.sync().notes
        #expect(
            notes.map { "\($0.kind) \($0.path) \($0.detail)" }.sorted() == [
                "notDone /team/sub/deep carol is for its new owner to let in",
                "transferred /team bob",
            ]
        )
        for _ in 0..<3 { for device in devices + [second] { try await device.sync() } }
        try await isHandedOver()
    }

    /// Nothing of it is copied as if it were shared with nobody.
    @Test func `it is not accepted with something shared in it that was not when it was offered`()
        async throws
    {
        let second = try await ada(like: laptop)
        _ = try await second.lockbook.share(.path("/team/sub/deep"), with: "carol", mode: .read)
        // It has read the log before, and shares it all the same; then it is switched off.
        second.faults.before("/v1/push") {
            try await give(laptop, desk)
            second.faults.next("/v1/push", .answerLost)
        }
        await #expect(throws: LockbookError.self) { try await second.sync() }
        try await desk.sync()
        let offer = try #require(try desk.lockbook.offers().first { $0.transfer })
        await #expect(
            throws: LockbookError.badShare(
                path: "/team/sub/deep",
                reason: "it is shared by itself, and was not when the rest was offered"
            )
        ) {
            try await desk.lockbook.accept(id: offer.id)
        }
        #expect(try desk.lockbook.shares().isEmpty)
    }

    @Test func `what another device moved out of it, and knew of nothing, is not given`()
        async throws
    {
        _ = try await laptop.lockbook.share(.path("/team/plan.md"), with: "bob", mode: .read)
        try await settle()
        let second = try await ada(like: laptop)
        try second.move("/team/plan.md", to: "/")
        try await give(laptop, desk)
        #expect(
            try await second.sync().notes.map { "\($0.kind) \($0.path) \($0.detail)" } == [
                "notDone /plan.md bob is not given it, as it was moved out of /team meanwhile"
            ]
        )
        try await settle()
        #expect(try laptop.lockbook.status().transfers == 1)
        #expect(try desk.lockbook.offers().filter(\.transfer).map(\.name) == ["team"])
    }

    @Test func `both devices of the new owner accept it at once`() async throws {
        let second = try await people.bob.device(named: "second", like: desk)
        try await give(laptop, desk)
        try await second.sync()
        try await take(desk)
        try await take(second)
        for _ in 0..<4 { for device in devices + [second] { try await device.sync() } }
        #expect(try members() == ["carol write", "dan write"])
        #expect(try await second.snapshot() == desk.snapshot())
        try await isHandedOver()
    }

    @Test func `what is given on goes on with its parts`() async throws {
        try await give(laptop, desk)
        try await take(desk)
        for device in [desk, laptop] { try await device.sync() }
        _ = try desk.lockbook.transfer(.path("/team"), to: "ada")
        try await desk.sync()
        try await laptop.sync()
        let offer = try #require(try laptop.lockbook.offers().first { $0.transfer })
        _ = try await laptop.lockbook.accept(id: offer.id)
        for device in [laptop, desk] { try await device.sync() }
        // Carol has seen neither.
        #expect(
            try await tablet.sync().notes.map { "\($0.kind) \($0.path) \($0.detail)" } == [
                "transferred /from ada/part ada"
            ]
        )
        try await settle()
        let inner = try laptop.lockbook.shares(of: .path("/team/sub"))
        #expect(inner.map { "\($0.username) \($0.mode)" } == ["carol write", "dan write"])
    }

    /// Carol says with ada's offer to bob that a folder of hers continues what is inside.
    @Test func `a member of the inner one cannot say what continues it`() async throws {
        let paper = try await Person("eve", on: people.server).firstDevice(named: "paper")
        try await share("/team/sub", .write, laptop, paper)
        try tablet.write("/mine/bait.md", "bait")
        try await tablet.sync()
        try await share("/mine", .write, tablet, paper)
        try await give(laptop, desk)
        try await tablet.sync()
        let ada = try laptop.lockbook.store.read { $0.owner }
        let sub = try #require(FileID(hex: try laptop.lockbook.info(.path("/team/sub")).id))
        let shared = try #require(try tablet.lockbook.shared(by: ada))
        let mark = try shared.store.read { tree in
            try tree.row(sub).map { try tree.mark(of: $0) }
        }
        let real = try #require(mark?.offer)
        #expect(real.source.file == sub)
        try tablet.lockbook.store.write { tree in
            guard let folder = try tree.find(path: "/mine") else { return }
            var file = try tree.file(folder)
            let made = try TransferOffer(
                of: sub,
                to: tree.owner,
                number: real.number,
                created: tree.environment.now(),
                by: tree.keys
            )
            var mark = FileMark(reading: file.bodyExtension)
            mark.successions = try [real, made].map { offer in
                try Succession(
                    to: offer,
                    with: file.id,
                    created: tree.environment.now(),
                    by: tree.keys
                )
            }
            file.bodyExtension = mark.bytes
            try tree.put(file)
        }
        for device in [tablet, paper] { try await device.sync() }
        try await take(desk)
        for _ in 0..<3 { for device in devices + [paper] { try await device.sync() } }
        #expect(try await paper.text("/sub/note.md") == "note")
        #expect(try await paper.text("/mine/bait.md") == "bait")
        try desk.write("/team/sub/note.md", "by bob")
        for device in [desk, paper] { try await device.sync() }
        #expect(try await paper.text("/sub/note.md") == "by bob")
    }
}
