import Foundation
import LockbookEngine
import LockbookTestSupport
import Testing

/// Exports of what links lead to, where that is not here, or something is in the way.
struct ExportLinksTests: SharingStories {
    let people: Sharers
    private let mirror = ExportOptions.mirroring

    init() throws {
        people = try Sharers()
    }

    /// Does something while nothing of what others share is here, as after a sync that was cut off.
    private func withoutShares(
        on device: Device,
        _ body: () async throws -> Void
    ) async throws {
        let (shares, aside) = (device.directory + "/shares", device.directory + "/aside")
        try FileManager.default.moveItem(atPath: shares, toPath: aside)
        try await body()
        try FileManager.default.moveItem(atPath: aside, toPath: shares)
    }

    private func notHere(_ path: String) -> [TransferReport.Problem] {
        [TransferReport.Problem(path: path, reason: "what its link leads to is not here")]
    }

    /// Bob's desk with `/team` of ada's and, behind that in all lists, `/zz`.
    private func sharedTwice() async throws -> (laptop: Device, desk: Device) {
        let (laptop, desk) = try await shared()
        try laptop.write("/zz/z.md", "z")
        try await laptop.sync()
        try await share("/zz", .write, laptop, desk)
        return (laptop, desk)
    }

    @Test func `a mirror removes what became a link only by what that leads to`() async throws {
        let (laptop, desk) = try await shared(holding: ["plan.md", "old.md", "deep/note.md"])
        let place = try Place()
        try await place.export(laptop, mirror)
        try await give(laptop, desk)
        try await take(desk)
        try await sync([laptop, desk])
        try desk.delete("/team/old.md")
        try await sync([desk, laptop])
        let files = ["team/deep/note.md", "team/old.md", "team/plan.md"]
        try await withoutShares(on: laptop) {
            for _ in 0..<2 {
                let report = try await place.export(laptop, mirror)
                #expect(report.problems == notHere("/team"))
                #expect(report.removed == 0)
                #expect(try place.facts().keys.sorted() == files)
            }
        }
        let report = try await place.export(laptop, mirror)
        #expect(report.problems == [])
        #expect(report.removed == 1)
        #expect(try place.facts().keys.sorted() == ["team/deep/note.md", "team/plan.md"])
        #expect(try await place.export(laptop, mirror).unchanged == 2)
    }

    @Test func `a mirror keeps a document that became a link until that leads somewhere`()
        async throws
    {
        let (laptop, desk) = try await shared()
        try laptop.write("/alone.md", "alone")
        try await laptop.sync()
        try await share("/alone.md", .write, laptop, desk)
        let place = try Place()
        try await place.export(laptop, mirror)
        _ = try laptop.lockbook.transfer(.path("/alone.md"), to: "bob")
        try await sync([laptop, desk])
        try await take(desk)
        try await sync([laptop, desk])
        try await withoutShares(on: laptop) {
            let report = try await place.export(laptop, mirror)
            #expect(report.problems == notHere("/alone.md"))
            #expect(report.removed == 0)
            #expect(try place.text("alone.md") == "alone")
        }
        let report = try await place.export(laptop, mirror)
        #expect(report.problems == [])
        #expect(report.removed == 0)
        #expect(try place.text("alone.md") == "alone")
    }

    @Test func `an export says what its links lead to that is not here`() async throws {
        let (_, desk) = try await shared()
        try desk.write("/own.md", "own")
        let place = try Place()
        try await place.export(desk, mirror)
        try await withoutShares(on: desk) {
            let mirrored = try await place.export(desk, mirror)
            #expect(mirrored.problems == notHere("/team"))
            #expect(mirrored.removed == 0)
            #expect(try place.text("team/plan.md") == "plan.md")
            let copied = try await Place().export(desk)
            #expect(copied.problems == notHere("/team"))
            #expect(copied.created == 1)
            let archived = try await desk.lockbook.archive(
                .path("/"),
                as: .tar,
                progress: { _ in },
                into: { _ in }
            )
            #expect(archived.problems == notHere("/team"))
            #expect(archived.created == 1)
        }
        #expect(try await place.export(desk, mirror).unchanged == 2)
    }

    @Test func `what is behind a link is written through no symbolic link above it`() async throws {
        let (_, desk) = try await sharedTwice()
        for folder in ["/own/", "/own/b/"] { _ = try desk.lockbook.create(path: folder) }
        try desk.move("/team", to: "/own/b/")
        let place = try Place()
        try place.make("disk")
        try place.make("else/b")
        try FileManager.default.createSymbolicLink(
            atPath: place.url.path + "/disk/own",
            withDestinationPath: place.url.path + "/else"
        )
        let report = try await place.export(desk, to: "disk")
        #expect(
            report.problems.map(\.reason) == [
                "a symbolic link stands in its place; the 3 files in it are left out"
            ]
        )
        #expect(try place.text("disk/zz/z.md") == "z")
        #expect(try place.facts().keys.sorted() == ["disk/zz/z.md"])
    }

    @Test(arguments: [true, false])
    func `a link that cannot be written keeps back no other`(isMirror: Bool) async throws {
        let (_, desk) = try await sharedTwice()
        let options = isMirror ? mirror : ExportOptions()
        let place = try Place()
        try place.write("team", "mine")
        for _ in 0..<2 {
            let report = try await place.export(desk, options)
            #expect(report.problems.map(\.path) == ["\(place.url.path)/team"])
            #expect(try place.text("team") == "mine")
            #expect(try place.text("zz/z.md") == "z")
        }
        try FileManager.default.removeItem(at: place.url.appending(path: "team"))
        #expect(try await place.export(desk, options).problems == [])
        #expect(try place.text("team/plan.md") == "plan.md")
    }

    @Test func `what a link wrote is known also after it could not be written once`() async throws {
        let (_, desk) = try await sharedTwice()
        let place = try Place()
        try await place.export(desk, mirror)
        let (team, aside) = (place.url.path + "/team", place.url.path + "/aside")
        try FileManager.default.moveItem(atPath: team, toPath: aside)
        try place.write("team", "mine")
        #expect(try await place.export(desk, mirror).problems.count == 1)
        try FileManager.default.removeItem(atPath: team)
        try FileManager.default.moveItem(atPath: aside, toPath: team)
        try desk.lockbook.leaveShare(.path("/team"))
        #expect(try await place.export(desk, mirror).removed == 1)
        #expect(try place.facts().keys.sorted() == ["zz/z.md"])
    }

    @Test func `a link to a folder takes the place of one to a document, when that is removed`()
        async throws
    {
        let (laptop, desk) = try await sharedTwice()
        try laptop.write("/alone", "alone")
        try await laptop.sync()
        try await share("/alone", .write, laptop, desk)
        let place = try Place()
        try await place.export(desk, mirror)
        try desk.lockbook.leaveShare(.path("/alone"))
        try desk.move("/team", to: "/alone")
        let report = try await place.export(desk, mirror)
        #expect(report.problems == [])
        #expect(report.removed == 2)
        #expect(try place.facts().keys.sorted() == ["alone/plan.md", "zz/z.md"])
    }

    @Test func `what a link wrote stays where it stood until that is here again`() async throws {
        let (laptop, desk) = try await sharedTwice()
        try laptop.write("/alone.md", "alone")
        try await laptop.sync()
        try await share("/alone.md", .write, laptop, desk)
        let place = try Place()
        try await place.export(desk, mirror)
        try desk.move("/team", to: "/moved")
        try desk.move("/alone.md", to: "/moved.md")
        try await withoutShares(on: desk) {
            for _ in 0..<2 {
                let report = try await place.export(desk, mirror)
                #expect(report.removed == 0)
                let files = try place.facts().keys.sorted()
                #expect(files == ["alone.md", "team/plan.md", "zz/z.md"])
            }
        }
        let report = try await place.export(desk, mirror)
        #expect(report.problems == [])
        #expect(report.removed == 2)
        #expect(try place.facts().keys.sorted() == ["moved.md", "moved/plan.md", "zz/z.md"])
    }

    /// - Parameters:
    ///   - isGiver: whether it was the device's own before.
    ///   - isFormer: whether an earlier program exported it, which put down no owners.
    @Test(arguments: [true, false], [true, false])
    func `what another owner has by now stays where it stood until it is here again`(
        isGiver: Bool,
        isFormer: Bool
    ) async throws {
        let (laptop, desk) = try await shared()
        let tablet = try await carol.firstDevice(named: "tablet")
        try await share("/team", .write, laptop, tablet)
        try await sync([laptop, desk, tablet])
        let device = isGiver ? laptop : tablet
        let place = try Place()
        try await place.export(device, mirror)
        if isFormer { try place.forgetOwners(of: device) }
        try await give(laptop, desk)
        try await take(desk)
        try await sync([laptop, desk, tablet])
        try device.move("/team", to: "/moved")
        try await withoutShares(on: device) {
            for _ in 0..<2 {
                let report = try await place.export(device, mirror)
                #expect(report.problems == notHere("/moved"))
                #expect(report.removed == 0)
                #expect(try place.facts().keys.sorted() == ["team/plan.md"])
            }
        }
        let report = try await place.export(device, mirror)
        #expect(report.problems == [])
        #expect(report.removed == 1)
        #expect(try place.facts().keys.sorted() == ["moved/plan.md"])
    }

    @Test func `what is only offered is exported under the name that its owner gave it`()
        async throws
    {
        let laptop = try await ada.firstDevice()
        try laptop.write("/team/plan.md", "plan")
        try laptop.write("/note.md", "note")
        try await laptop.sync()
        let desk = try await bob.firstDevice(named: "desk")
        for path in ["/team", "/note.md"] {
            _ = try await laptop.lockbook.share(.path(path), with: "bob", mode: .read)
        }
        try await laptop.sync()
        try await desk.sync()
        let place = try Place()
        for offer in try desk.lockbook.offers() {
            _ = try await desk.lockbook.export(
                .id(prefix: offer.id),
                to: place.url.path,
                options: ExportOptions()
            ) { _ in }
        }
        #expect(try place.facts().keys.sorted() == ["note.md", "team/plan.md"])
    }

    @Test func `a document behind a link is brought up to date where nothing else changed`()
        async throws
    {
        let (laptop, desk) = try await shared()
        try laptop.write("/alone.md", "alone")
        try await laptop.sync()
        try await share("/alone.md", .write, laptop, desk)
        try desk.write("/own.md", "own")
        let place = try Place()
        try await place.export(desk, mirror)
        #expect(try await place.export(desk, mirror).unchanged == 3)
        try laptop.write("/alone.md", "changed")
        try await sync([laptop, desk])
        let report = try await place.export(desk, mirror)
        #expect((report.updated, report.unchanged) == (1, 2))
        #expect(try place.text("alone.md") == "changed")
        try place.write("alone.md", "changed on disk")
        let refused = try await place.export(desk, mirror)
        #expect(refused.problems.count == 1)
        #expect(try place.text("alone.md") == "changed on disk")
    }
}
