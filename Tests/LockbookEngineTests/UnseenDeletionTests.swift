import LockbookEngine
import LockbookTestSupport
import Testing

/// Words that who deleted them had not seen are in every device's trash until somebody decides.
struct UnseenDeletionTests {
    let alice: Person

    init() throws { alice = Person("alice", on: try TestServer()) }

    /// What one device wrote while another one deleted it, or the folder that it stands in.
    struct Loss: Sendable, CustomTestStringConvertible {
        let written: String
        let deleted: String

        var testDescription: String { "\(written) in \(deleted)" }

        static let all = [
            Loss(written: "/k/a.md", deleted: "/k/a.md"),
            Loss(written: "/k/new.md", deleted: "/k"),
            Loss(written: "/k/a.md", deleted: "/k"),
        ]
    }

    /// A laptop that wrote, and a phone that deleted.
    private func lost(_ loss: Loss, isWrittenFirst: Bool = true) async throws -> (Device, Device) {
        let (laptop, phone) = try await alice.twoDevices(holding: ["k/": "", "k/a.md": "a"])
        try laptop.write(loss.written, "precious")
        try phone.delete(loss.deleted)
        let (first, second) = isWrittenFirst ? (laptop, phone) : (phone, laptop)
        for device in [first, second, first] { try await device.sync() }
        return (laptop, phone)
    }

    @Test(arguments: Loss.all, [true, false])
    func `no device purges by itself what nobody deleted`(loss: Loss, isWrittenFirst: Bool)
        async throws
    {
        let (laptop, phone) = try await lost(loss, isWrittenFirst: isWrittenFirst)
        let desk = try await alice.device(named: "desk", like: laptop)
        alice.pass(40, laptop, phone, desk)
        for device in [laptop, desk, phone, laptop] {
            let report = try await device.sync()
            #expect(report.purged == [] && report.pushed == [])
            #expect(try device.lockbook.conflicts().map(\.path) == [loss.written])
        }
        let place = try #require(
            try laptop.lockbook.resolve(.path(loss.written), keeping: .local).path
        )
        try await converge(alice, laptop, phone, desk)
        #expect(try await desk.text(place) == "precious")
        for device in [laptop, phone, desk] { #expect(try device.lockbook.conflicts() == []) }
    }

    @Test(arguments: Loss.all, [true, false])
    func `the device that deleted has them as those of the other side`(
        loss: Loss,
        isWrittenFirst: Bool
    ) async throws {
        let (laptop, phone) = try await lost(loss, isWrittenFirst: isWrittenFirst)
        let place = try #require(
            try phone.lockbook.resolve(.path(loss.written), keeping: .remote).path
        )
        try await converge(alice, laptop, phone)
        #expect(try await laptop.text(place) == "precious")
    }

    @Test(arguments: Loss.all)
    func `who leaves them in the trash decides for every device, and may take that back`(
        loss: Loss
    ) async throws {
        let (laptop, phone) = try await lost(loss)
        #expect(try laptop.lockbook.resolve(.path(loss.written), keeping: .remote).path == nil)
        try await converge(alice, laptop, phone)
        for device in [laptop, phone] { #expect(try device.lockbook.conflicts() == []) }

        _ = try laptop.lockbook.undo()
        try await converge(alice, laptop, phone)
        for device in [laptop, phone] {
            #expect(try device.lockbook.conflicts().map(\.path) == [loss.written])
        }
        #expect(try phone.lockbook.resolve(.path(loss.written), keeping: .local).path == nil)
        try await converge(alice, laptop, phone)
        #expect(try laptop.lockbook.conflicts() == [])
        alice.pass(31, laptop, phone)
        #expect(try await laptop.sync().purged == [loss.deleted])
        try await converge(alice, laptop, phone)
        #expect(try phone.lockbook.trash() == [])
    }

    @Test func `who takes that back is told where they were purged meanwhile`() async throws {
        let (laptop, phone) = try await lost(Loss.all[0])
        #expect(try laptop.lockbook.resolve(.path("/k/a.md"), keeping: .remote).path == nil)
        for device in [laptop, phone] { try await device.sync() }
        #expect(try phone.lockbook.emptyTrash() == 1)
        try await phone.sync()
        _ = try laptop.lockbook.undo()
        let notes = try await laptop.sync().notes
        #expect(notes.map { "\($0.kind) \($0.path)" } == ["purged /k/a.md"])
        let reason = "something that it changed was deleted for good"
        #expect(throws: LockbookError.cannotUndo(reason: reason)) { try laptop.lockbook.undo() }
        try await converge(alice, laptop, phone)
    }

    /// - Parameter isSynced: whether a server had what was written before it was deleted again.
    @Test(arguments: Loss.all, [true, false])
    func `what came back, was written and deleted again is undecided on no device`(
        loss: Loss,
        isSynced: Bool
    ) async throws {
        let (laptop, phone) = try await alice.twoDevices(holding: ["k/": "", "k/a.md": "a"])
        try laptop.delete(loss.deleted)
        for device in [laptop, phone] { try await device.sync() }
        alice.pass(20, laptop, phone)
        _ = try laptop.lockbook.restore([.path(loss.deleted)])
        try laptop.write(loss.written, "more")
        if isSynced { try await laptop.sync() }
        try laptop.delete(loss.deleted)
        try await laptop.sync()
        alice.pass(20, laptop, phone)
        for device in [phone, laptop] {
            #expect(try await device.sync().purged == [])
            #expect(try device.lockbook.conflicts() == [])
        }
        alice.pass(31, laptop, phone)
        #expect(try await phone.sync().purged == [loss.deleted])
        try await converge(alice, laptop, phone)
    }

    @Test(arguments: Loss.all)
    func `what was decided by bringing it back stays so on a device that missed that`(
        loss: Loss
    ) async throws {
        let (laptop, phone) = try await lost(loss)
        _ = try laptop.lockbook.restore([.path(loss.deleted)])
        try laptop.write(loss.written, "more")
        try await laptop.sync()
        try laptop.delete(loss.deleted)
        for device in [laptop, phone] { try await device.sync() }
        for device in [laptop, phone] { #expect(try device.lockbook.conflicts() == []) }
        try await converge(alice, laptop, phone)
    }

    @Test func `a decision is none about words that it did not know`() async throws {
        let (laptop, phone) = try await alice.twoDevices(holding: ["n.md": "base\n"])
        let desk = try await alice.device(named: "desk", like: laptop)
        try desk.write("/n.md", "of the desk\n")
        try laptop.delete("/n.md")
        try await laptop.sync()
        try phone.write("/n.md", "of the phone\n")
        for device in [phone, laptop] { try await device.sync() }
        #expect(try laptop.lockbook.resolve(.path("/n.md"), keeping: .local).path == nil)
        try await desk.sync()
        try await converge(alice, laptop, phone, desk)
        alice.pass(40, laptop, phone, desk)
        for device in [desk, laptop, phone] {
            #expect(try await device.sync().purged == [])
            #expect(try device.lockbook.conflicts().map(\.path) == ["/n.md"])
        }
    }

    @Test(arguments: Loss.all)
    func `undo of bringing them back leaves them to be decided again`(loss: Loss) async throws {
        let (laptop, phone) = try await lost(loss)
        _ = try laptop.lockbook.restore([.path(loss.deleted)])
        #expect(try laptop.lockbook.conflicts() == [])
        _ = try laptop.lockbook.undo()
        #expect(try laptop.lockbook.status().changes == [])
        alice.pass(40, laptop, phone)
        for device in [laptop, phone] {
            #expect(try await device.sync().purged == [])
            #expect(try device.lockbook.conflicts().map(\.path) == [loss.written])
        }
    }

    @Test(arguments: [true, false])
    func `who brings them back wins over who leaves them in the trash`(isLeftFirst: Bool)
        async throws
    {
        let (laptop, phone) = try await lost(Loss.all[0])
        _ = try laptop.lockbook.restore([.path("/k/a.md")])
        _ = try phone.lockbook.resolve(.path("/k/a.md"), keeping: .local)
        try await (isLeftFirst ? phone : laptop).sync()
        try await converge(alice, laptop, phone)
        #expect(try await phone.text("/k/a.md") == "precious")
        for device in [laptop, phone] { #expect(try device.lockbook.conflicts() == []) }
    }

    @Test func `what comes out of the trash with markers in it is listed at once`() async throws {
        let (laptop, phone) = try await lost(Loss.all[0])
        _ = try phone.lockbook.resolve(.path("/k/a.md"), keeping: .remote)
        let place = "<<<<<<< alice on phone\na\n=======\nb\n>>>>>>> alice on desk\n"
        try phone.write("/k/a.md", place)
        try await phone.sync()
        try await laptop.sync()
        let conflicts = try laptop.lockbook.conflicts()
        #expect(conflicts.map(\.path) == ["/k/a.md"] && conflicts.map(\.kind) == [.markers])
    }

    @Test func `what is emptied by hand is gone`() async throws {
        let (laptop, phone) = try await lost(Loss.all[2])
        #expect(try laptop.lockbook.emptyTrash() == 2)
        try await converge(alice, laptop, phone)
        for device in [laptop, phone] {
            #expect(try device.lockbook.trash() == [])
            #expect(try device.lockbook.conflicts() == [])
        }
    }

    @Test func `of a document that cannot be merged the second copy waits, too`() async throws {
        let (laptop, phone) = try await alice.twoDevices(holding: ["k/x.bin": "\u{0}word"])
        let desk = try await alice.device(named: "desk", like: laptop)
        try laptop.delete("/k")
        try phone.write("/k/x.bin", "\u{0}phone")
        try desk.write("/k/x.bin", "\u{0}desk")
        for device in [laptop, phone, desk, laptop, phone] { try await device.sync() }
        alice.pass(40, laptop, phone, desk)
        for device in [laptop, phone, desk] {
            #expect(try await device.sync().purged == [])
            #expect(
                try device.lockbook.conflicts().map(\.path) == ["/k/x.bin", "/k/x.bin"]
            )
        }
    }

    @Test func `what was written of something purged elsewhere waits on every device`()
        async throws
    {
        let (laptop, phone) = try await alice.twoDevices(holding: ["a.md": "a"])
        _ = try laptop.lockbook.purge([.path("/a.md")])
        try await laptop.sync()
        try phone.write("/a.md", "precious")
        for device in [phone, laptop] { try await device.sync() }
        alice.pass(40, laptop, phone)
        for device in [laptop, phone] {
            #expect(try await device.sync().purged == [])
            #expect(try device.lockbook.conflicts().map(\.path) == ["/a.md"])
        }
    }
}

/// The same where the other one is somebody else.
struct UnseenSharedDeletionTests: SharingStories {
    let people: Sharers

    init() throws { people = try Sharers() }

    @Test(arguments: [true, false])
    func `words of an owner or a member wait in the trash of both`(isOfOwner: Bool) async throws {
        let (laptop, desk) = try await shared(holding: ["plan.md", "other.md"])
        let (writer, deleter) = isOfOwner ? (laptop, desk) : (desk, laptop)
        try writer.write("/team/plan.md", "precious")
        try await writer.sync()
        try deleter.delete("/team/plan.md")
        try await deleter.sync()
        #expect(try await writer.sync().notes.map(\.kind) == [.deleted])
        ada.pass(40, laptop, desk)
        for device in [laptop, desk, laptop] {
            let report = try await device.sync()
            #expect(report.purged == [] && report.pushed == [])
            #expect(try device.lockbook.conflicts().map(\.path) == ["/team/plan.md"])
        }
        _ = try writer.lockbook.resolve(.path("/team/plan.md"), keeping: .local)
        try await writer.sync()
        try await deleter.sync()
        #expect(try await deleter.text("/team/plan.md") == "precious")
        for device in [laptop, desk] { #expect(try device.lockbook.conflicts() == []) }
    }

    @Test(arguments: ["/team/plan.md", "/team"])
    func `words in what its owner deleted are for the owner to decide`(offered: String)
        async throws
    {
        let laptop = try await ada.firstDevice()
        try laptop.write("/team/plan.md", "plan")
        try await laptop.sync()
        let desk = try await bob.firstDevice(named: "desk")
        try await share(offered, .write, laptop, desk)
        let path = offered == "/team" ? "/team/plan.md" : "/plan.md"
        try desk.write(path, "precious")
        try laptop.delete(offered)
        for device in [laptop, desk, laptop] { try await device.sync() }
        #expect(try desk.lockbook.conflicts() == [])
        for side in KeptSide.allCases {
            #expect(throws: LockbookError.ownersToChange(path: path)) {
                try desk.lockbook.resolve(.path(path), keeping: side)
            }
        }
        #expect(try laptop.lockbook.conflicts().map(\.path) == ["/team/plan.md"])
        let place = try #require(
            try laptop.lockbook.resolve(.path("/team/plan.md"), keeping: .remote).path
        )
        #expect(try await laptop.text(place) == "precious")
    }
}
