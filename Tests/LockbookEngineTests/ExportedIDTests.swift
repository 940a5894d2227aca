import Foundation
import GRDB
import Glibc
import LockbookCrypto
import LockbookModel
import LockbookTestSupport
import Testing

@testable import LockbookEngine

/// What is on the disk is known by its owner, too; an earlier program put that down of nothing.
struct ExportedIDTests: SharingStories {
    let people: Sharers

    init() throws { people = try Sharers() }

    /// Gives a file on the disk another text, later than any note was written.
    private func write(_ path: String, in place: Place) throws {
        try place.write(path, "disk")
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: 1_000_000_000)],
            ofItemAtPath: place.url.appending(path: path).path
        )
    }

    @Test(arguments: [ShareRight.read, .write])
    func `what was changed on disk is for an import only where it may be written`(
        mode: ShareRight
    ) async throws {
        let (_, desk) = try await shared(mode)
        let place = try Place()
        try await place.export(desk, .mirroring)
        try write("team/plan.md", in: place)
        let problems = try await place.export(desk, .mirroring).problems
        #expect(problems.map { $0.reason.contains("lockbook import") } == [mode == .write])
    }

    @Test func `a mirror goes on from where an earlier program was`() async throws {
        let (_, desk) = try await shared(holding: ["plan.md", "old.md", "deep/note.md"])
        for note in ["/own.md", "/gone.md", "/f/kept.md"] { try desk.write(note, "own") }
        let place = try Place()
        try await place.export(desk, .mirroring)
        try place.forgetOwners(of: desk)
        #expect(try place.memory(of: desk).allSatisfy { $0.id.owner == nil })
        try desk.write("/own.md", "changed")
        for note in ["/gone.md", "/team/old.md"] { try desk.delete(note) }

        let report = try await place.export(desk, .mirroring)

        #expect(report.problems == [])
        #expect((report.created, report.updated, report.removed) == (0, 1, 2))
        #expect(report.unchanged == 3)
        #expect(try place.text("own.md") == "changed")
        let folders = try place.memory(of: desk)
        let ada = try #require(try desk.lockbook.store.read { try $0.followed() }.first)
        let bob = desk.lockbook.store.context.owner
        for folder in folders {
            #expect(folder.source.owner == bob)
            #expect(folder.id.owner == (folder.path.hasPrefix("team") ? ada : bob))
        }
        #expect(folders.map(\.path).sorted() == ["", "f", "team", "team/deep"])
        let root = try #require(folders.first { $0.path.isEmpty })
        #expect(root.linked.map(\.id.owner) == [ada])
        let again = try await place.export(desk, .mirroring)
        #expect(again.unchanged == 4)
    }

    @Test func `an import knows what an earlier program exported`() async throws {
        let (_, desk) = try await shared(holding: ["plan.md"])
        try desk.write("/own.md", "own")
        let place = try Place()
        try await place.export(desk, .mirroring)
        try place.forgetOwners(of: desk)
        for note in ["own.md", "team/plan.md"] {
            try desk.write("/\(note)", "newer")
            try write(note, in: place)
        }
        let report = try desk.lockbook.importFromDisk(["\(place.url.path)/."], to: "/") { _ in }
        let sentence = "the note was changed in the lockbook; --force takes the file's text"
        #expect(report.problems.map(\.reason) == [sentence, sentence])
        for note in ["/own.md", "/team/plan.md"] { #expect(try await desk.text(note) == "newer") }
    }

    @Test func `a document of one owner that was exported alone goes into no other one's folder`()
        async throws
    {
        let (laptop, desk) = try await shared()
        let tablet = try await carol.firstDevice(named: "tablet")
        try laptop.write("/alone.md", "alone")
        try tablet.write("/other/carol.md", "carol's")
        for device in [laptop, tablet] { try await device.sync() }
        try await share("/alone.md", .write, laptop, desk)
        try await share("/other", .write, tablet, desk)
        let place = try Place()
        try await place.export(desk, of: "/alone.md")
        func take() throws -> TransferReport {
            let file = "\(place.url.path)/alone.md"
            return try desk.lockbook.importFromDisk([file], to: "/other") { _ in }
        }
        let report = try take()
        #expect(report.created == 0)
        #expect(report.problems.count == 1)
        #expect(report.problems.allSatisfy { $0.reason.hasPrefix("it belongs to something else") })
        #expect(try !desk.paths().contains("/other/alone.md"))
        // What was written on the disk since is nobody's else.
        try write("alone.md", in: place)
        #expect(try take().created == 1)
    }

    @Test func `what another owner gave an own folder's id is not exported over that`()
        async throws
    {
        let desk = try await bob.firstDevice(named: "desk")
        let tablet = try await carol.firstDevice(named: "tablet")
        try desk.write("/notes/plan.md", "bob's")
        let id = try #require(FileID(hex: try desk.lockbook.info(.path("/notes")).id))
        let maker = try tablet.again(random: .choosing(id.bytes))
        _ = try maker.lockbook.create(path: "/bait/")
        try maker.write("/bait/plan.md", "carol's")
        #expect(try maker.lockbook.info(.path("/bait")).id == id.description)
        for device in [desk, tablet] { try await device.sync() }
        try await share("/bait", .write, tablet, desk)
        let place = try Place()
        for path in ["/notes", "/bait", "/notes"] {
            try await place.export(desk, .mirroring, of: path, to: "copy")
        }
        #expect(try place.facts().keys.sorted() == ["copy/bait/plan.md", "copy/plan.md"])
        #expect(try place.text("copy/plan.md") == "bob's")
        #expect(try place.text("copy/bait/plan.md") == "carol's")
    }
}

extension Place {
    /// What a device remembers of its exports to this place.
    fileprivate func memory(of device: Device) throws -> [ExportedFolder] {
        let lockbook = device.lockbook
        let sealed = try lockbook.store.read { try $0.exported(at: identity()) }
        let memory = try ExportMemory(opening: sealed, with: lockbook.account.deviceKey)
        return Array(memory.folders.values)
    }

    /// Makes what a device remembers of its exports to this place what an earlier program did.
    func forgetOwners(of device: Device) throws {
        let identity = try identity()
        try device.lockbook.store.write { tree in
            let keys = MemoryKeys.exports(tree.account.deviceKey)
            for row in try tree.exported(at: identity) {
                let opened = try keys.sealing.open(row.sealed, bound: row.path)
                // There are notes that tell of no folder.
                guard let folder = try? ExportedFolder(decoding: opened) else { continue }
                let sealed = try keys.sealing.seal(
                    folder.withoutOwners,
                    bound: row.path,
                    random: .system
                )
                try tree.db.execute(
                    sql: "UPDATE exported SET sealed = ? WHERE destination = ? AND path = ?",
                    arguments: [Data(sealed), Data(keys.hidden(identity)), Data(row.path)]
                )
            }
        }
    }

    private func identity() throws -> [UInt8] {
        try DiskFile(url.path, flags: O_RDONLY | O_DIRECTORY).realPath
    }
}

extension ExportedFolder {
    /// As it was written in format 05.
    fileprivate var withoutOwners: [UInt8] {
        var encoder = CanonicalEncoder()
        encoder.append(5 as UInt8)
        encoder.append(counted: path.utf8)
        for file in [source.file, id.file] { encoder.append(fixed: file.bytes) }
        encoder.append(counted: directory)
        encoder.append(isMade)
        encoder.append(inode)
        for children in [folders, linked] {
            encoder.append(UInt32(children.count))
            for child in children {
                encoder.append(counted: child.name.utf8)
                encoder.append(fixed: child.id.file.bytes)
            }
        }
        files.append(to: &encoder)
        gone.append(to: &encoder)
        return encoder.bytes
    }
}
