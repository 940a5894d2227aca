import Foundation
import LockbookEngine
import LockbookTestSupport
import Testing

/// What the disk has of a share that gets another owner.
struct TransferDiskTests: SharingStories {
    let people: Sharers

    init() throws { people = try Sharers() }

    private func take(in place: Place, _ device: Device) throws -> TransferReport {
        try device.lockbook.importFromDisk(["\(place.url.path)/."], to: "/") { _ in }
    }

    @Test func `an import knows what it took in before somebody else owned that`() async throws {
        let devices = try await members(holding: ["plan.md", "deep/note.md"])
        let place = try Place()
        try place.make("team/deep")
        for note in ["plan.md", "deep/note.md"] { try place.write("team/\(note)", note) }
        for device in devices { #expect(try take(in: place, device).unchanged == 2) }
        try await handOver(devices)
        try devices[1].write("/team/plan.md", "bob's")
        try await sync(devices)
        for note in ["plan.md", "deep/note.md"] {
            try place.write("team/\(note)", "disk")
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSinceNow: 1_000_000_000)],
                ofItemAtPath: place.url.appending(path: "team/\(note)").path
            )
        }

        for device in devices {
            // Whether a note is as it was taken in is told by a content that is here.
            #expect(try await device.text("/team/deep/note.md") == "deep/note.md")
            let report = try take(in: place, device)
            #expect(
                report.problems.map(\.reason) == [
                    "the note was changed in the lockbook; --force takes the file's text"
                ]
            )
            // The note that is as it was taken in follows its file.
            #expect(report.updated == 1)
            #expect(report.replaced == [])
            #expect(try await device.text("/team/plan.md") == "bob's")
            #expect(try await device.text("/team/deep/note.md") == "disk")
        }
    }

    @Test func `an import knows a document that was given away by itself`() async throws {
        let (laptop, desk) = try await shared()
        let place = try Place()
        for note in ["alone.md", "own.md"] { try place.write(note, note) }
        #expect(try take(in: place, laptop).created == 2)
        try await laptop.sync()
        try await share("/alone.md", .write, laptop, desk)
        #expect(try take(in: place, desk).unchanged == 1)
        _ = try laptop.lockbook.transfer(.path("/alone.md"), to: "bob")
        try await sync([laptop, desk])
        try await take(desk)
        try await sync([laptop, desk])
        try desk.write("/alone.md", "bob's")
        try await sync([desk, laptop])
        try place.write("alone.md", "disk")
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: 1_000_000_000)],
            ofItemAtPath: place.url.appending(path: "alone.md").path
        )
        // Also the second time, when it was left out already.
        for device in [laptop, desk, laptop, desk] {
            let report = try take(in: place, device)
            #expect(
                report.problems.map(\.reason) == [
                    "the note was changed in the lockbook; --force takes the file's text"
                ]
            )
            #expect(try await device.text("/alone.md") == "bob's")
        }
    }

    /// - Parameter heir: to whom bob gives it on.
    @Test(arguments: [nil, "carol", "ada"])
    func `an import takes back no newer note with what was exported before that got another owner`(
        heir: String?
    ) async throws {
        let changed = ["plan.md", "deep/note.md"]
        let devices = try await members(holding: changed + ["deep/same.md"])
        var places: [Place] = []
        for device in devices {
            let place = try Place()
            try await place.export(device, .mirroring)
            places.append(place)
        }
        try await handOver(devices)
        var owner = devices[1]
        if let heir {
            _ = try owner.lockbook.transfer(.path("/team"), to: heir)
            owner = devices[heir == "ada" ? 0 : 2]
            try await sync(devices)
            try await take(owner)
            try await sync(devices)
        }
        for note in changed { try owner.write("/team/\(note)", "newer") }
        try await sync(devices)

        for (place, device) in zip(places, devices) {
            // Whether a note is as it was exported is told by a content that is here.
            #expect(try await device.text("/team/deep/same.md") == "deep/same.md")
            for note in changed + ["deep/same.md"] {
                try place.write("team/\(note)", "disk")
                try FileManager.default.setAttributes(
                    [.modificationDate: Date(timeIntervalSinceNow: 1_000_000_000)],
                    ofItemAtPath: place.url.appending(path: "team/\(note)").path
                )
            }
            let report = try take(in: place, device)
            let sentence = "the note was changed in the lockbook; --force takes the file's text"
            #expect(report.problems.map(\.reason) == [sentence, sentence])
            #expect(report.updated == 1)
            #expect(report.replaced == [])
            for note in changed { #expect(try await device.text("/team/\(note)") == "newer") }
            #expect(try await device.text("/team/deep/same.md") == "disk")
        }
    }

    @Test func `an import goes on in a folder that somebody else owns now`() async throws {
        let devices = try await members(holding: ["plan.md"])
        let place = try Place()
        try place.make("disk")
        try place.write("disk/plan.md", "plan.md")
        func take(_ device: Device) throws -> TransferReport {
            try device.lockbook.importFromDisk(["\(place.url.path)/disk/."], to: "/team") { _ in }
        }
        for device in devices { #expect(try take(device).unchanged == 1) }
        try await handOver(devices)
        for device in devices {
            let source = "\(place.url.path)/disk"
            let report = try device.lockbook.importFromDisk([source], to: "/team") { _ in }
            #expect(report.created == 0)
            #expect(report.unchanged == 1)
        }
    }

    @Test func `a mirror follows a share to its new owner`() async throws {
        let devices = try await members(holding: ["plan.md", "old.md", "deep/note.md"])
        try devices[0].write("/alone.md", "alone")
        try await devices[0].sync()
        try await share("/alone.md", .write, devices[0], devices[1])
        let options = ExportOptions.mirroring
        var places: [Place] = []
        for device in devices {
            let place = try Place()
            try await place.export(device, options)
            places.append(place)
        }
        try await handOver(devices)
        try devices[1].write("/team/plan.md", "edited")
        try devices[1].delete("/team/old.md")
        try await sync(devices)

        for (place, device) in zip(places, devices) {
            let report = try await place.export(device, options)
            #expect(report.problems == [])
            #expect(try place.text("team/plan.md") == "edited")
            #expect(try place.text("team/deep/note.md") == "deep/note.md")
            #expect(try place.facts()["team/old.md"] == nil)
            let again = try await place.export(device, options)
            #expect(again.problems == [])
            #expect(again.created + again.updated + again.removed == 0)
        }
    }

    @Test func `an export without removal goes on in what was its own and was given away`()
        async throws
    {
        let devices = try await members(holding: ["plan.md", "old.md"])
        let place = try Place()
        try await place.export(devices[0])
        try await handOver(devices)
        try devices[1].write("/team/plan.md", "edited")
        try devices[1].delete("/team/old.md")
        try await sync(devices)
        let report = try await place.export(devices[0])
        #expect(report.problems == [])
        #expect(report.updated == 1)
        #expect(try place.text("team/plan.md") == "edited")
        #expect(try place.text("team/old.md") == "old.md")
        // A mirror finds all that is to go, and takes nothing for changed on the disk.
        let options = ExportOptions.mirroring
        let mirrored = try await place.export(devices[0], options)
        #expect(mirrored.problems == [])
        #expect(mirrored.removed == 1)
        #expect(try place.facts().keys.sorted() == ["team/plan.md"])
    }

    /// Bob's desk, with `/team` of ada's and `/other` of carol's or of ada's too.
    private func twoLinks(ofOne: Bool) async throws -> Device {
        let (laptop, desk) = try await shared(.write, holding: ["plan.md", "deep/note.md"])
        let owner = try await ofOne ? laptop : carol.firstDevice(named: "tablet")
        try owner.write("/other/plan.md", "other")
        try owner.write("/other/sub/more.md", "more")
        try await owner.sync()
        try await share("/other", .write, owner, desk)
        return desk
    }

    @Test(arguments: [true, false])
    func `a mirror removes what a link wrote whose name another one has now`(ofOne: Bool)
        async throws
    {
        let desk = try await twoLinks(ofOne: ofOne)
        let place = try Place()
        let options = ExportOptions.mirroring
        try await place.export(desk, options)
        try desk.move("/team", to: "/third")
        try desk.move("/other", to: "/team")
        try desk.move("/third", to: "/other")
        let files = ["other/deep/note.md", "other/plan.md", "team/plan.md", "team/sub/more.md"]
        for round in 0..<2 {
            let report = try await place.export(desk, options)
            #expect(report.problems == [])
            #expect(report.removed == (round == 0 ? 2 : 0))
            #expect(try place.facts().keys.sorted() == files)
        }
        #expect(try place.text("team/plan.md") == "other")
        #expect(try place.text("other/plan.md") == "plan.md")

        try desk.lockbook.leaveShare(.path("/team"))
        try desk.move("/other", to: "/team")
        try place.write("team/sub/more.md", "changed on disk")
        let report = try await place.export(desk, options)
        #expect(report.problems.map(\.reason).count == 1)
        #expect(
            try place.facts().keys.sorted() == [
                "team/deep/note.md", "team/plan.md", "team/sub/more.md",
            ]
        )
        #expect(try place.text("team/plan.md") == "plan.md")
    }

    @Test func `a mirror removes a folder that a link wrote where one to a document is now`()
        async throws
    {
        let (laptop, desk) = try await shared(.write, holding: ["plan.md", "deep/note.md"])
        try laptop.write("/alone", "alone")
        try await laptop.sync()
        try await share("/alone", .write, laptop, desk)
        let place = try Place()
        let options = ExportOptions.mirroring
        try await place.export(desk, options)
        try desk.lockbook.leaveShare(.path("/team"))
        try desk.move("/alone", to: "/team")
        let report = try await place.export(desk, options)
        #expect(report.removed == 3)
        #expect(report.problems == [])
        #expect(try place.facts().keys.sorted() == ["team"])
        #expect(try await place.export(desk, options).unchanged == 1)
    }

    @Test func `a mirror goes on where own files stand in place of links`() async throws {
        let (laptop, desk) = try await shared(.write, holding: ["plan.md", "deep/note.md"])
        try laptop.write("/alone.md", "alone")
        try await laptop.sync()
        try await share("/alone.md", .write, laptop, desk)
        let place = try Place()
        let options = ExportOptions.mirroring
        try await place.export(desk, options)
        for path in ["/team", "/alone.md"] { try desk.lockbook.leaveShare(.path(path)) }
        for path in ["/team/plan.md", "/alone.md"] { try desk.write(path, "own") }
        let report = try await place.export(desk, options)
        #expect(report.problems == [])
        #expect(report.removed == 1)
        #expect(try place.facts().keys.sorted() == ["alone.md", "team/plan.md"])
        #expect(try place.text("team/plan.md") == "own")
        #expect(try place.text("alone.md") == "own")
    }
}
