import Foundation
import LockbookEngine
import LockbookTestSupport
import Testing

/// What the disk has of a share by itself, that gets another owner or whose name another one takes.
struct TransferAloneTests: SharingStories {
    let people: Sharers

    init() throws { people = try Sharers() }

    private func options(_ isMirror: Bool) -> ExportOptions {
        var options = ExportOptions()
        options.mirror = isMirror
        return options
    }

    /// - Parameter isNew: whether the export makes the folder that it goes to.
    @Test(arguments: [true, false], [true, false])
    func `an export of a share by itself follows it to its new owner`(isMirror: Bool, isNew: Bool)
        async throws
    {
        let devices = try await members(holding: ["plan.md", "old.md", "deep/note.md", "seen.md"])
        var places: [Place] = []
        let to = isNew ? "copy" : ""
        let copy = isNew ? "copy" : "team"
        for device in devices {
            let place = try Place()
            try await place.export(device, options(isMirror), of: "/team", to: to)
            try await place.export(device, options(isMirror), of: "/team/deep", to: "deep")
            places.append(place)
        }
        try await handOver(devices)
        try devices[1].write("/team/plan.md", "edited")
        try devices[1].write("/team/seen.md", "edited")
        try devices[1].delete("/team/old.md")
        try await sync(devices)

        for (place, device) in zip(places, devices) {
            try place.write("\(copy)/seen.md", "changed on disk")
            let report = try await place.export(device, options(isMirror), of: "/team", to: to)
            try await place.export(device, options(isMirror), of: "/team/deep", to: "deep")
            #expect(report.problems.map(\.path) == ["\(place.url.path)/\(copy)/seen.md"])
            #expect(report.created == 0)
            #expect(try place.text("\(copy)/plan.md") == "edited")
            #expect(try place.text("\(copy)/seen.md") == "changed on disk")
            let old = isMirror ? [] : ["\(copy)/old.md"]
            let notes = ["deep/note.md", "plan.md", "seen.md"].map { "\(copy)/\($0)" }
            #expect(try place.facts().keys.sorted() == (notes + old + ["deep/note.md"]).sorted())
            let again = try await place.export(device, options(isMirror), of: "/team", to: to)
            #expect(again.created + again.updated + again.removed == 0)
        }
    }

    /// Gives a document away by itself, of which the new owner writes another text.
    private func giveAlone(_ laptop: Device, to desk: Device) async throws {
        _ = try laptop.lockbook.transfer(.path("/alone.md"), to: "bob")
        try await sync([laptop, desk])
        try await take(desk)
        try desk.write("/alone.md", "bob's")
        try await sync([desk, laptop])
    }

    @Test func `a document that was exported by itself is followed to its new owner`() async throws
    {
        let (laptop, desk) = try await shared()
        try laptop.write("/alone.md", "alone")
        try await laptop.sync()
        try await share("/alone.md", .write, laptop, desk)
        let places = [try Place(), try Place()]
        for (place, device) in zip(places, [laptop, desk]) {
            try await place.export(device, of: "/alone.md")
        }
        try await giveAlone(laptop, to: desk)
        for (place, device) in zip(places, [laptop, desk]) {
            let report = try await place.export(device, of: "/alone.md")
            #expect(report.problems == [])
            #expect(report.updated == 1)
            #expect(try place.text("alone.md") == "bob's")
        }
    }

    @Test func `an import takes back no newer document that was exported before it was given away`()
        async throws
    {
        let (laptop, desk) = try await shared()
        try laptop.write("/alone.md", "alone")
        try await laptop.sync()
        try await share("/alone.md", .write, laptop, desk)
        let places = [try Place(), try Place()]
        for (place, device) in zip(places, [laptop, desk]) { try await place.export(device) }
        try await giveAlone(laptop, to: desk)
        for (place, device) in zip(places, [laptop, desk]) {
            try place.write("alone.md", "disk")
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSinceNow: 1_000_000_000)],
                ofItemAtPath: place.url.appending(path: "alone.md").path
            )
            let report = try device.lockbook.importFromDisk(["\(place.url.path)/."], to: "/") { _ in
            }
            #expect(
                report.problems.map(\.reason) == [
                    "the note was changed in the lockbook; --force takes the file's text"
                ]
            )
            #expect(try await device.text("/alone.md") == "bob's")
        }
    }

    @Test(arguments: [true, false])
    func `an import into what another share was called knows nothing of that`(isAlone: Bool)
        async throws
    {
        let (laptop, desk) = try await shared(.write, holding: ["plan.md"])
        let tablet = try await carol.firstDevice(named: "tablet")
        let shares = isAlone ? ["/one.md", "/two.md"] : ["/team", "/other"]
        if isAlone {
            try laptop.write("/one.md", "plan.md")
            try tablet.write("/two.md", "carol's")
            try await laptop.sync()
            try await share("/one.md", .write, laptop, desk)
        } else {
            try tablet.write("/other/plan.md", "carol's")
        }
        try await tablet.sync()
        try await share(shares[1], .write, tablet, desk)
        let place = try Place()
        let file = isAlone ? "one.md" : "team/plan.md"
        try place.make("team")
        try place.write(file, "plan.md")
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: 1_000_000_000)],
            ofItemAtPath: place.url.appending(path: file).path
        )
        func take() throws -> TransferReport {
            desk.clock.pass(days: 1)
            return try desk.lockbook.importFromDisk(["\(place.url.path)/."], to: "/") { _ in }
        }
        for _ in 0..<2 { #expect(try take().unchanged == 1) }
        try desk.lockbook.leaveShare(.path(shares[0]))
        try desk.move(shares[1], to: shares[0])
        for _ in 0..<2 {
            let report = try take()
            #expect(report.unchanged == 0)
            #expect(
                report.problems.map(\.reason) == [
                    "the note was changed in the lockbook; --force takes the file's text"
                ]
            )
        }
        #expect(try await desk.text("/\(file)") == "carol's")
    }

    /// - Parameter isTaken: whether it was also imported, and not only exported.
    @Test(arguments: [true, false])
    func `what the disk has of a share that was left goes into no other one of its name`(
        isTaken: Bool
    ) async throws {
        let notes = ["secret.md", "edited.md", "deep/secret.md"]
        let (_, desk) = try await shared(.write, holding: notes)
        let tablet = try await carol.firstDevice(named: "tablet")
        let place = try Place()
        try await place.export(desk, .mirroring)
        func take(force: Bool = false) throws -> TransferReport {
            desk.clock.pass(days: 1)
            var options = ImportOptions()
            options.force = force
            return try desk.lockbook.importFromDisk(
                ["\(place.url.path)/."],
                to: "/",
                options: options
            ) { _ in }
        }
        if isTaken { #expect(try take().unchanged == 3) }
        try tablet.write("/other/carol.md", "carol's")
        try await tablet.sync()
        try await share("/other", .write, tablet, desk)
        try desk.lockbook.leaveShare(.path("/team"))
        try desk.move("/other", to: "/team")
        try place.write("team/edited.md", "edited on disk")
        try place.write("team/new.md", "new")
        for round in 0..<2 {
            let report = try take()
            #expect(report.created == (round == 0 ? 2 : 0))
            let sentence = "it belongs to something else of this name"
            #expect(report.problems.count { $0.reason.hasPrefix(sentence) } == 2)
            #expect(report.problems.count == 2)
            await #expect(throws: LockbookError.self) { try await desk.text("/team/secret.md") }
            if isTaken { #expect(throws: LockbookError.self) { try desk.delete("/team/deep") } }
        }
        #expect(try take(force: true).created == 2)
        #expect(try take().problems == [])
        #expect(try await desk.text("/team/deep/secret.md") == "deep/secret.md")
    }

    @Test func `a mirror knows what an import took in before that got another owner`() async throws
    {
        let devices = try await members(holding: ["plan.md"])
        let place = try Place()
        try await place.export(devices[2], .mirroring)
        try place.write("team/plan.md", "disk")
        let taken = try devices[2].lockbook.importFromDisk(["\(place.url.path)/."], to: "/") { _ in
        }
        #expect(taken.updated == 1)
        try await handOver(devices)
        try devices[1].write("/team/plan.md", "bob's")
        try await sync(devices)
        #expect(try await place.export(devices[2], .mirroring).problems == [])
        #expect(try place.text("team/plan.md") == "bob's")
    }

    @Test(arguments: [true, false])
    func `an export knows what an import took in of no more than one file of a folder`(
        isLinked: Bool
    ) async throws {
        let (laptop, desk) = try await shared()
        _ = try desk.lockbook.create(path: "/q/")
        if isLinked {
            try laptop.write("/alone.md", "alone")
            try await laptop.sync()
            try await share("/alone.md", .write, laptop, desk)
            try desk.move("/alone.md", to: "/q/alone.md")
        } else {
            try desk.write("/q/alone.md", "alone")
        }
        let place = try Place()
        try await place.export(desk, .mirroring)
        try place.write("q/alone.md", "disk edit")
        let taken = try desk.lockbook.importFromDisk(
            [place.url.path + (isLinked ? "/." : "/q/alone.md")],
            to: isLinked ? "/" : "/q"
        ) { _ in }
        #expect(taken.updated == 1)
        try desk.write("/q/alone.md", "newer")
        #expect(try await place.export(desk, .mirroring).problems == [])
        #expect(try place.text("q/alone.md") == "newer")
    }
}
