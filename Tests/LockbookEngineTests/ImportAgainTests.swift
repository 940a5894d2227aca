import Foundation
import LockbookEngine
import LockbookTestSupport
import Testing

struct ImportAgainTests {
    let alice: Person
    let notes: URL

    init() throws {
        alice = Person("alice", on: try TestServer())
        notes = FileManager.default.temporaryDirectory
            .appending(path: "lockbook-import-\(UUID().uuidString)")
        let below = notes.appending(path: "f")
        try FileManager.default.createDirectory(at: below, withIntermediateDirectories: true)
        for number in 0..<9 { try write("f/\(number).md", "note \(number)") }
    }

    private func write(_ path: String, _ text: String) throws {
        try Data(text.utf8).write(to: notes.appending(path: path))
    }

    /// - Parameter years: how far in the future it is written.
    private func write(_ path: String, _ text: String, years: Double) throws {
        try write(path, text)
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: years * 31_557_600)],
            ofItemAtPath: notes.appending(path: path).path
        )
    }

    private func take(
        _ device: Device,
        checksum: Bool = false,
        force: Bool = false,
        to target: String = "/"
    ) throws -> TransferReport {
        var options = ImportOptions()
        options.checksum = checksum
        options.force = force
        return try device.lockbook.importFromDisk(
            ["\(notes.path)/."],
            to: target,
            options: options
        ) { _ in }
    }

    /// The files that were left out because of a conflict, and that was said.
    private func undecided(_ report: TransferReport) -> [String] {
        let sentence = "the note has an undecided conflict, which `lockbook conflicts` lists"
        return report.problems.filter { $0.reason.hasPrefix(sentence) }.map(\.path)
    }

    /// A device for which every file was written long ago.
    private func laptop() async throws -> Device {
        let laptop = try await alice.firstDevice()
        laptop.clock.pass(days: 1)
        return laptop
    }

    @Test func `a file that did not change is not read again`() async throws {
        let laptop = try await laptop()
        #expect(try take(laptop).created == 9)
        // What was changed here shows that nobody compared it with the disk.
        try laptop.write("/f/3.md", "changed here")

        let second = try take(laptop)

        #expect(second.unchanged == 9)
        #expect(second.folders == 1)
        #expect(try await laptop.text("/f/3.md") == "changed here")
        // Forced, the disk counts, also where nothing changed there.
        let third = try take(laptop, force: true)
        #expect((third.updated, third.unchanged) == (1, 8))
        #expect(try await laptop.text("/f/3.md") == "note 3")
    }

    @Test func `a file takes back neither a merge that has its time nor a conflict`() async throws {
        let laptop = try await laptop()
        try write("f/1.md", "one\ntwo\nthree\nfour\nfive\n")
        _ = try take(laptop)
        _ = try await laptop.sync()
        let phone = try await alice.device(named: "phone", like: laptop)
        try phone.write("/f/1.md", "one here\ntwo\nthree\nfour\nfive\n")
        try phone.write("/f/2.md", "two here")
        _ = try await phone.sync()
        let third = try await alice.device(named: "third", like: laptop)

        // Past for the laptop, whose clock is a day ahead: it takes no time of the future.
        try write("f/1.md", "one\ntwo\nthree\nfour\nfive there\n", years: 0.001)
        try write("f/2.md", "two there", years: 0.001)
        #expect(try take(laptop).updated == 2)
        _ = try await laptop.sync()
        _ = try await third.sync()
        let marked = try await third.text("/f/2.md")
        #expect(marked.contains("<<<<<<<"))

        // The third device knows of no import; the files have the time of the merges, or a later one.
        try write("f/2.md", "two there", years: 21)
        let report = try take(third)
        #expect(report.problems.count == 2 && report.updated == 0)
        #expect(undecided(report).map { $0.hasSuffix("f/2.md") } == [true])
        #expect((report.replaced ?? []).isEmpty)
        #expect(try await third.text("/f/1.md") == "one here\ntwo\nthree\nfour\nfive there\n")
        #expect(try await third.text("/f/2.md") == marked)
        // What the laptop took in was changed on both sides since.
        let own = try take(laptop)
        #expect(own.problems.count == 1 && own.updated == 0)
        #expect(undecided(own).map { $0.hasSuffix("f/2.md") } == [true])
        // Decided, the conflict is a note as others are.
        try third.write("/f/2.md", "decided")
        #expect(try take(third, force: true).updated == 2)
    }

    @Test func `a link is followed where it is named, and nowhere below`() async throws {
        let laptop = try await laptop()
        let files = FileManager.default
        for (name, target) in [("todo.md", "f/3.md"), ("g", "f"), ("f/again.md", "4.md")] {
            let link = notes.appending(path: name).path
            try files.createSymbolicLink(atPath: link, withDestinationPath: target)
        }
        let report = try laptop.lockbook.importFromDisk(
            ["\(notes.path)/todo.md", "\(notes.path)/g"],
            to: "/",
            options: ImportOptions()
        ) { _ in }

        #expect(report.created == 10)
        #expect(try await laptop.text("/todo.md") == "note 3")
        #expect(try await laptop.text("/g/8.md") == "note 8")
        #expect(report.problems.map(\.path) == ["\(notes.path)/g/again.md"])
    }

    @Test func `the lockbook's own folder becomes no note, and gets no note in clear`() async throws
    {
        let laptop = try await laptop()
        let own = laptop.directory
        let options = ImportOptions()
        for source in [own, "\(own)/.", "\(own)/account.json", "\(own)/blobs/../account.json"] {
            #expect(throws: LockbookError.self) {
                try laptop.lockbook.importFromDisk([source], to: "/self", options: options) { _ in }
            }
        }
        // What is around it, but for other tests' folders, is taken in without it.
        let around = URL(filePath: own).deletingLastPathComponent().path
        var nothingElse = options
        nothingElse.excluded = ["/*", "!/\(URL(filePath: own).lastPathComponent)"]
        let report = try laptop.lockbook.importFromDisk(
            ["\(around)/."],
            to: "/around",
            options: nothingElse
        ) { _ in }
        #expect(report.created == 0 && report.ignored >= 1 && report.problems == [])
        #expect(try !laptop.paths().contains { $0.contains("account.json") })

        for target in [own, "\(own)/new/deep", "\(own)/blobs"] {
            await #expect(throws: LockbookError.self) {
                _ = try await laptop.lockbook.export(
                    FileReference("/"),
                    to: target,
                    options: ExportOptions()
                ) { _ in }
            }
        }
        #expect(!FileManager.default.fileExists(atPath: "\(own)/new"))
    }

    @Test func `when nothing that was named is there, nothing was done`() async throws {
        let laptop = try await laptop()
        let missing = "\(notes.path)/nope.md"
        #expect(throws: LockbookError.io(path: missing, reason: "No such file or directory")) {
            try laptop.lockbook.importFromDisk([missing], to: "/") { _ in }
        }
        let report = try laptop.lockbook.importFromDisk(
            [missing, "\(notes.path)/f"],
            to: "/"
        ) { _ in }
        #expect(report.created == 9 && report.problems.map(\.path) == [missing])
    }

    @Test func `with checksums every file is read`() async throws {
        let laptop = try await laptop()
        _ = try take(laptop)
        try laptop.write("/f/3.md", "changed here")

        // Read and found different, and not taken back unless that is asked for.
        let second = try take(laptop, checksum: true)
        #expect(second.unchanged == 8)
        #expect(second.problems.count == 1)
        #expect(try await laptop.text("/f/3.md") == "changed here")

        #expect(try take(laptop, checksum: true, force: true).updated == 1)
        #expect(try await laptop.text("/f/3.md") == "note 3")
    }

    @Test func `a change of the same size under the old time is seen`() async throws {
        let laptop = try await laptop()
        _ = try take(laptop)
        let path = notes.appending(path: "f/4.md").path
        let before = try FileManager.default.attributesOfItem(atPath: path)
        try write("f/4.md", "nota 4")
        try FileManager.default.setAttributes(
            [.modificationDate: before[.modificationDate] as Any],
            ofItemAtPath: path
        )

        #expect(try take(laptop).updated == 1)
        #expect(try await laptop.text("/f/4.md") == "nota 4")
    }

    @Test func `what was deleted here is taken in again, what was deleted on disk stays`()
        async throws
    {
        let laptop = try await laptop()
        _ = try take(laptop)
        try laptop.delete("/f/1.md")
        try FileManager.default.removeItem(at: notes.appending(path: "f/2.md"))

        let second = try take(laptop)

        #expect(second.created == 1)
        #expect(second.unchanged == 7)
        #expect(try await laptop.text("/f/2.md") == "note 2")
        try laptop.delete("/f")
        #expect(try take(laptop).created == 8)
    }

    @Test func `each place in the lockbook has a memory of its own`() async throws {
        let laptop = try await laptop()
        _ = try take(laptop, to: "/a")
        _ = try take(laptop, to: "/b")
        try write("f/5.md", "changed")

        #expect(try take(laptop, to: "/a").updated == 1)
        #expect(try take(laptop, to: "/b").updated == 1)
        #expect(try await laptop.text("/b/f/5.md") == "changed")
    }

    @Test func `a file that changed a moment ago is read again and takes no note back`()
        async throws
    {
        // The clock of this device has not moved on: the file may change once more unseen.
        let laptop = try await alice.firstDevice()
        laptop.clock.pass(days: -1)
        _ = try take(laptop)
        try laptop.write("/f/3.md", "changed here")

        #expect(try take(laptop).unchanged == 9)
        #expect(try await laptop.text("/f/3.md") == "changed here")
        try write("f/3.md", "changed there")
        #expect(try take(laptop).problems.count == 1)
        #expect(try await laptop.text("/f/3.md") == "changed here")
    }

    @Test(arguments: [false, true])
    func `what a merge put into a note is not taken back by the file that it came from`(
        isSettled: Bool
    ) async throws {
        let laptop = try await alice.firstDevice()
        let phone = try await alice.device(named: "phone", like: laptop)
        try laptop.write("/f/3.md", "written on the laptop")
        try await laptop.sync()
        // The file is the newer one: what is merged has its time.
        try write("f/3.md", "note 3")
        phone.clock.pass(days: isSettled ? 1 : -1)
        _ = try take(phone)
        try await phone.sync()
        let merged = try await phone.text("/f/3.md")
        #expect(merged.contains("written on the laptop"))

        let again = try take(phone)
        #expect(again.unchanged == 9)
        #expect(try await phone.text("/f/3.md") == merged)
        // The others are what they were taken in as, and are replaced.
        try write("f/3.md", "changed on disk")
        try write("f/4.md", "changed on disk")
        let third = try take(phone)
        #expect(third.problems.count == 1)
        #expect(third.updated == 1)
        #expect(try await phone.text("/f/3.md") == merged)
        #expect(try await phone.text("/f/4.md") == "changed on disk")
    }

    @Test func `the same files taken in on two devices are replaced when they change`() async throws
    {
        let laptop = try await alice.firstDevice()
        let phone = try await alice.device(named: "phone", like: laptop)
        _ = try take(laptop)
        _ = try take(phone)
        try await laptop.sync()
        try await phone.sync()
        try write("f/3.md", "changed")

        #expect(try take(phone).updated == 1)
        #expect(try await phone.text("/f/3.md") == "changed")
    }
}
