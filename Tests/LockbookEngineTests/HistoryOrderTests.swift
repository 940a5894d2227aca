import Foundation
import LockbookEngine
import LockbookModel
import LockbookTestSupport
import Testing

/// In what order versions stand, what times they have, and which of them are on one device alone.
struct HistoryOrderTests {
    let alice: Person

    init() throws {
        alice = Person("alice", on: try TestServer())
    }

    private func history(_ path: String, of device: Device, limit: Int = 100) async throws
        -> FileHistory
    {
        try await device.lockbook.history(FileReference(path), limit: limit)
    }

    private func told(_ history: FileHistory) -> [String] {
        history.versions.map { "\($0.change) \($0.path)" }
    }

    /// One note of today, then five whose authors' clock was a year late.
    private func withOldNotes() async throws -> Device {
        let laptop = try await alice.firstDevice()
        try laptop.write("/now.md", "now")
        try await laptop.sync()
        laptop.clock.pass(days: -365)
        for number in 1...5 {
            try laptop.write("/old\(number).md", "old")
            try await laptop.sync()
        }
        laptop.clock.pass(days: 365)
        return laptop
    }

    @Test func `what is synced is not on this device alone, wherever the list is cut`() async throws
    {
        let laptop = try await withOldNotes()
        for limit in 1...8 {
            let history = try await history("/", of: laptop, limit: limit)
            #expect(history.versions.count == min(limit, 7))
            #expect(history.versions[0].path == "/now.md")
            #expect(history.versions.allSatisfy { !$0.isUnsynced && $0.position != nil })
            #expect(history.hasMore == (limit < 7))
        }
        let whole = try await history("/", of: laptop)
        #expect(whole.versions.first { $0.path == "/" }?.position == 0)

        try laptop.write("/new.md", "new")
        let after = try await history("/", of: laptop, limit: 2)
        #expect(after.versions.map(\.isUnsynced) == [true, false])
        #expect(after.versions.map { $0.position == nil } == [true, false])
    }

    @Test func `what a merge put in the place of a save is newer than that`() async throws {
        let (laptop, phone) = try await alice.twoDevices()
        try laptop.write("/j.json", #"{"base": 1}"#)
        try await laptop.sync()
        try await phone.sync()
        try laptop.write("/j.json", #"{"mine": 1}"#)
        try phone.write("/j.json", #"{"other": 2}"#)
        try await phone.sync()
        laptop.clock.pass(days: 1)
        #expect(try await laptop.sync().notes.map(\.kind) == [.keptBoth])

        let versions = try await history("/j.json", of: laptop).versions

        #expect(versions.count == 3)
        #expect(versions.map(\.isUnsynced) == [false, true, false])
        var newest: [UInt8] = []
        try await laptop.lockbook.read(.path("/j.json"), version: versions[0].version) {
            newest += $0
        }
        #expect(String(decoding: newest, as: UTF8.self) == #"{"other": 2}"#)
    }

    @Test func `a write that met a deletion edited the note, and nobody restored it`() async throws
    {
        let (laptop, phone) = try await alice.twoDevices(holding: ["a.bin": "\u{0}base"])
        try phone.write("/a.bin", "\u{0}right")
        try laptop.write("/a.bin", "\u{0}left")
        try laptop.delete("/a.bin")
        try await laptop.sync()
        let report = try await phone.sync()
        let deleted = try #require(report.notes.first { $0.kind == .deleted })

        let history = try await phone.lockbook.history(.id(prefix: deleted.id), limit: 100)

        #expect(history.versions.map(\.change) == [.deleted, .edited, .deleted, .made])
        #expect(history.versions.map(\.isUnsynced) == [false, true, false, false])
    }

    @Test func `what was restored, written and written again is told as restored`() async throws {
        let (laptop, phone) = try await alice.twoDevices(holding: ["a.bin": "\u{0}base"])
        try laptop.delete("/a.bin")
        try await laptop.sync()
        try await phone.sync()
        _ = try phone.lockbook.restore([FileReference("/a.bin")])
        try phone.write("/a.bin", "\u{0}one")
        try phone.write("/a.bin", "\u{0}two")

        let history = try await history("/a.bin", of: phone)

        #expect(history.versions.map(\.change) == [.edited, .restored, .deleted, .made])
    }

    private func importOld(count: Int, to path: String, on device: Device) throws {
        let disk = device.directory + "-disk"
        try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: disk) }
        for number in 0..<count {
            let file = "\(disk)/o\(number).md"
            try Data("\(number)".utf8).write(to: URL(fileURLWithPath: file))
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: 1_300_000_000 + Double(number))],
                ofItemAtPath: file
            )
        }
        _ = try device.lockbook.importFromDisk([disk + "/."], to: path) { _ in }
    }

    @Test(arguments: [true, false])
    func `a short list of many files is the beginning of the long one`(isOnline: Bool) async throws
    {
        let laptop = try await withOldNotes()
        for number in 1...20 {
            try laptop.write("/n\(number).md", "one")
            laptop.clock.pass(days: 1)
        }
        try await laptop.sync()
        for number in [3, 17, 9] { try laptop.write("/n\(number).md", "two") }
        laptop.clock.pass(days: 1)
        try laptop.delete("/n5.md")
        try await laptop.sync()
        try laptop.write("/n2.md", "three")
        laptop.clock.pass(days: 1)
        try laptop.move("/old2.md", to: "/older.md")
        try laptop.write("/n3.md", "four")
        // They are taken in now, and have the times of their files.
        try importOld(count: 12, to: "/imported", on: laptop)
        func list(_ limit: Int) async throws -> FileHistory {
            if !isOnline { laptop.faults.next("/v1/history", .lost) }
            return try await history("/", of: laptop, limit: limit)
        }
        let whole = try await list(100)
        #expect(whole.isComplete == isOnline && !whole.hasMore)
        #expect(whole.versions.count > (isOnline ? 44 : 39))
        for limit in isOnline ? Array(1...44) : [1, 4, 20, 30] {
            let short = try await list(limit)
            let wanted = whole.versions.prefix(limit)
            #expect(short.versions.map(\.path) == wanted.map(\.path))
            #expect(short.versions.map(\.version) == wanted.map(\.version))
            #expect(short.versions.map(\.time) == wanted.map(\.time))
            #expect(short.hasMore == (limit < whole.versions.count))
        }
    }

    @Test(arguments: [true, false])
    func `nothing is opened of notes that are older than those asked for`(isOnline: Bool)
        async throws
    {
        let laptop = try await alice.firstDevice()
        for number in 1...5 {
            try laptop.write("/n\(number).md", "one")
            try await laptop.sync()
            laptop.clock.pass(days: 1)
        }
        try laptop.spoilFirstRecord()
        if !isOnline { laptop.faults.next("/v1/history", .lost) }

        let history = try await history("/", of: laptop, limit: 1)

        #expect(history.isComplete == isOnline)
        #expect(history.versions.map(\.path) == ["/n5.md"])
        #expect(history.hasMore)
    }

    @Test func `without the server, what another device wrote is not on this device alone`()
        async throws
    {
        let (laptop, phone) = try await alice.twoDevices(holding: ["a.md": "one"])
        try laptop.write("/b.md", "two")
        try await laptop.sync()
        try await phone.sync()
        phone.faults.next("/v1/history", .lost)
        let there = try await history("/", of: phone)
        #expect(!there.isComplete && there.versions.count == 3)
        #expect(there.versions.allSatisfy { !$0.isUnsynced })
        try phone.write("/a.md", "three")
        phone.faults.next("/v1/history", .lost)
        let changed = try await history("/a.md", of: phone)
        #expect(changed.versions.map(\.isUnsynced) == [true, false])
    }

    @Test func `a change that was not synced is the newest, with the time at which it was made`()
        async throws
    {
        let laptop = try await alice.firstDevice()
        _ = try laptop.lockbook.create(path: "/ho/")
        try laptop.write("/ho/x", "x")
        try await laptop.sync()
        laptop.clock.pass(days: 1)
        try laptop.delete("/ho")
        try await laptop.sync()
        laptop.clock.pass(days: 1)
        let begin = EngineEnvironment.system.now().milliseconds + 2 * 86_400_000
        _ = try laptop.lockbook.restore([FileReference("/ho")])
        for path in ["/ho", "/"] {
            let restored = try await history(path, of: laptop)
            #expect(told(restored).prefix(2) == ["restored /ho", "deleted /ho"])
            #expect(restored.versions.map(\.isUnsynced).prefix(2) == [true, false])
            #expect(restored.versions[0].time >= begin)
            #expect(restored.versions[0].time - restored.versions[1].time > 80_000_000)
        }
        let order = told(try await history("/ho", of: laptop))
        try await laptop.sync()
        #expect(told(try await history("/ho", of: laptop)) == order)

        laptop.clock.pass(days: 1)
        try laptop.move("/ho/x", to: "/ho/y")
        let renamed = try await history("/ho", of: laptop)
        #expect(told(renamed).prefix(2) == ["renamed /ho/y", "restored /ho"])
        #expect(renamed.versions[0].time >= begin + 86_400_000)
        try laptop.delete("/ho/y")
        let deleted = try await history("/ho", of: laptop)
        #expect(told(deleted).first == "deleted /ho/y")
        #expect(deleted.versions[0].time >= renamed.versions[0].time)
    }

    @Test func `a change whose command is forgotten is still above what it changed`() async throws {
        let laptop = try await alice.firstDevice()
        try laptop.write("/a.md", "a")
        try await laptop.sync()
        laptop.clock.pass(days: 1)
        try laptop.move("/a.md", to: "/b.md")
        try await laptop.sync()
        try laptop.move("/b.md", to: "/c.md")
        for number in 1...60 { try laptop.write("/other.md", "\(number)") }
        let history = try await history("/c.md", of: laptop)
        #expect(told(history) == ["renamed /c.md", "renamed /b.md", "made /a.md"])
        #expect(history.versions[0].time >= history.versions[1].time)
        #expect(history.versions.map(\.isUnsynced) == [true, false, false])
    }

    @Test func `a change that was taken back stands above what it was made of`() async throws {
        let laptop = try await alice.firstDevice()
        try laptop.write("/a.md", "one")
        try await laptop.sync()
        laptop.clock.pass(days: 1)
        try laptop.write("/a.md", "three")
        _ = try laptop.lockbook.undo()
        #expect(try await laptop.text("/a.md") == "one")
        let history = try await history("/a.md", of: laptop)
        #expect(told(history) == ["edited /a.md", "made /a.md"])
        #expect(history.versions.map(\.isUnsynced) == [true, false])
        #expect(history.versions.map(\.size) == [5, 3])
        // What is there now was the first, whatever was written after it.
        let difference = try await laptop.lockbook.difference(.path("/a.md"), from: nil, to: nil)
        #expect(difference.from == "nothing")
        #expect(difference.lines?.contains { $0.kind == .removed } == false)
    }

    @Test func `the versions of one file keep their order among those of others`() async throws {
        let laptop = try await alice.firstDevice()
        _ = try laptop.lockbook.create(path: "/f/")
        try laptop.write("/f/a.md", "one")
        try await laptop.sync()
        // Its clock is put back; the text is newer all the same.
        laptop.clock.pass(days: -365)
        try laptop.write("/f/a.md", "newest")
        try await laptop.sync()
        try laptop.write("/f/b.md", "b")
        try await laptop.sync()
        laptop.clock.pass(days: 365)
        let history = try await history("/f", of: laptop)
        #expect(history.versions.map(\.size) == [6, 3, 0, 1])
        #expect(told(history) == ["edited /f/a.md", "made /f/a.md", "made /f", "made /f/b.md"])
    }
}
