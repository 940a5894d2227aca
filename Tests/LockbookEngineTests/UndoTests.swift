import Foundation
import LockbookEngine
import LockbookTestSupport
import Testing

/// What a command did is taken back, texts too.
struct UndoTests {
    let alice: Person

    init() throws {
        alice = Person("alice", on: try TestServer())
    }

    private static let commands: KeyValuePairs<String, @Sendable (Lockbook) async throws -> Void> =
        [
            "new": { _ = try $0.create(path: "/new/folder/") },
            "write": { try $0.write("/a.md", "other") },
            "write, a new one": { try $0.write("/deep/er/b.md", "other") },
            "write nothing": { try $0.write("/a.md", "") },
            "jot": { try $0.append(line: "one more", to: FileReference("/a.md")) },
            "today": { _ = try $0.create(path: "/day.md", template: "/a.md") { $0 ?? "" } },
            "move": {
                _ = try $0.move([FileReference("/a.md"), FileReference("/n")], to: "/other")
            },
            "rename": { _ = try $0.rename(FileReference("/n"), to: "m") },
            "copy": { _ = try $0.copy([FileReference("/n")], to: "/copy") },
            "delete": { _ = try $0.delete([FileReference("/n/x.md"), FileReference("/n")]) },
            "restore": { _ = try $0.restore([FileReference("/gone")]) },
            "restore, out of a folder": { _ = try $0.restore([FileReference("/gone/z.md")]) },
            "edit": {
                var session = try await $0.beginEdit(FileReference("/a.md"))
                _ = try $0.save(&session, bytes: Array("edited".utf8))
            },
        ]

    private func prepared() async throws -> (Device, Device) {
        let (laptop, phone) = try await alice.twoDevices(
            holding: [
                "a.md": "text\n", "n/": "", "n/x.md": "in n", "n/sub/": "", "n/sub/y.md": "below",
                "other/": "", "gone/": "", "gone/z.md": "back",
            ]
        )
        try laptop.delete("/gone")
        return (laptop, phone)
    }

    @Test(arguments: commands.map(\.key))
    func `what a command did is taken back and done again`(name: String) async throws {
        let (laptop, phone) = try await prepared()
        let command = try #require(Self.commands.first { $0.key == name }?.value)
        let before = try await laptop.snapshot()
        try await command(laptop.lockbook)
        let after = try await laptop.snapshot()
        #expect(before != after)

        let told = try laptop.lockbook.undo(isDryRun: true)
        #expect(try await laptop.snapshot() == after)
        #expect(try laptop.lockbook.undo() == told)
        #expect(try await laptop.snapshot() == before)
        _ = try laptop.lockbook.undo()
        #expect(try await laptop.snapshot() == after)
        _ = try laptop.lockbook.undo()
        try await converge(alice, laptop, phone)
        #expect(try await phone.snapshot() == before)
    }

    @Test(arguments: commands.map(\.key))
    func `what was synced is taken back and done again on every device`(name: String) async throws {
        let (laptop, phone) = try await prepared()
        let command = try #require(Self.commands.first { $0.key == name }?.value)
        try await converge(alice, laptop, phone)
        let before = try await laptop.snapshot()
        try await command(laptop.lockbook)
        let after = try await laptop.snapshot()
        try await converge(alice, laptop, phone)

        _ = try laptop.lockbook.undo()
        #expect(try await laptop.snapshot() == before)
        try await converge(alice, laptop, phone)
        #expect(try await phone.snapshot() == before)
        _ = try laptop.lockbook.undo()
        try await converge(alice, laptop, phone)
        #expect(try await phone.snapshot() == after)
    }

    @Test func `an import of many files is one command and one of very many is not kept`()
        async throws
    {
        let laptop = try await alice.firstDevice()
        laptop.lockbook.joinChanges()
        try laptop.write("/in/f1", "mine")
        let disk = laptop.directory + "-disk"
        try FileManager.default.createDirectory(
            atPath: disk,
            withIntermediateDirectories: true
        )
        defer { try? FileManager.default.removeItem(atPath: disk) }
        for number in 0..<20 { try Data("\(number)".utf8).write(to: at(disk, number)) }
        let before = try await laptop.snapshot()
        var options = ImportOptions()
        options.force = true
        let other = try laptop.again(undoing: 100)
        other.lockbook.joinChanges()
        _ = try other.lockbook.importFromDisk([disk + "/."], to: "/in", options: options) { _ in }
        #expect(try await other.text("/in/f1") == "1")
        #expect(try other.lockbook.undo().changes.count == 20)
        #expect(try await other.snapshot() == before)

        for number in 20..<110 { try Data("\(number)".utf8).write(to: at(disk, number)) }
        _ = try other.lockbook.importFromDisk([disk + "/."], to: "/many", options: options) { _ in
        }
        #expect(
            throws: LockbookError.tooLargeToUndo(limit: 100)
        ) { try other.lockbook.undo() }
        #expect(try other.lockbook.commands().first?.obstacle == .large)
        #expect(try other.lockbook.isTooLargeToUndo(files: 110))
    }

    private func at(_ folder: String, _ number: Int) -> URL {
        URL(fileURLWithPath: "\(folder)/f\(number)")
    }

    @Test func `the changes of one process are one command and those of another are not`()
        async throws
    {
        let laptop = try await alice.firstDevice()
        try laptop.write("/a.md", "first")
        let other = try laptop.again()
        other.lockbook.joinChanges()
        try other.write("/a.md", "second")
        try other.write("/b.md", "new")
        try other.write("/a.md", "third")
        #expect(try laptop.lockbook.undo().changes.map(\.path) == ["/a.md", "/b.md"])
        #expect(try await laptop.snapshot().count == 1)
        #expect(try await laptop.text("/a.md") == "first")

        // Something came between: what follows is another command.
        try other.write("/a.md", "fourth")
        try laptop.write("/c.md", "")
        try other.write("/a.md", "fifth")
        _ = try other.lockbook.undo()
        #expect(try await laptop.text("/a.md") == "fourth")
    }

    @Test func `the last command is the last one, also when the clock went back`() async throws {
        let laptop = try await alice.firstDevice()
        try laptop.write("/a.md", "important")
        laptop.clock.pass(days: -2)
        try laptop.write("/b.md", "")
        let commands = try laptop.lockbook.commands()
        #expect(commands.map { $0.changes.map(\.path) } == [["/b.md"], ["/a.md"]])
        #expect(try laptop.lockbook.undo().number == commands.first?.number)
        #expect(try laptop.paths() == ["/a.md"])
    }

    @Test func `the last hundred commands are remembered and can be taken back by their numbers`()
        async throws
    {
        let laptop = try await alice.firstDevice()
        #expect(throws: LockbookError.nothingToUndo(command: nil)) {
            try laptop.lockbook.undo()
        }
        for number in 1...103 {
            try laptop.write("/\(number % 2).md", "\(number)")
            if number % 20 == 0 { try await laptop.sync() }
        }
        let commands = try laptop.lockbook.commands()
        #expect(commands.map(\.number) == Array((4...103).reversed()))
        #expect(commands.first?.changes.map(\.path) == ["/1.md"])
        #expect(commands.allSatisfy { $0.changes.map(\.change) == [.edited] })
        #expect(throws: LockbookError.nothingToUndo(command: 3)) {
            try laptop.lockbook.undo(3)
        }
        #expect(throws: LockbookError.cannotUndo(reason: "/1.md was changed since")) {
            try laptop.lockbook.undo(101)
        }
        _ = try laptop.lockbook.undo(102)
        #expect(try await laptop.text("/0.md") == "100")
        _ = try laptop.lockbook.undo(103)
        _ = try laptop.lockbook.undo(101)
        #expect(try await laptop.text("/1.md") == "99")
        #expect(try laptop.lockbook.validate() == [])
    }

    @Test func `fifty commands can be taken back one by one`() async throws {
        let laptop = try await alice.firstDevice()
        for number in 0...50 { try laptop.write("/a.md", "\(number)") }
        let numbers = try laptop.lockbook.commands().prefix(50).map(\.number)
        for number in numbers { _ = try laptop.lockbook.undo(number) }
        #expect(try await laptop.text("/a.md") == "0")
    }

    @Test func `writing what is there already is nothing to take back`() async throws {
        let laptop = try await alice.firstDevice()
        try laptop.write("/a.md", "text")
        try laptop.write("/a.md", "text")
        try laptop.move("/a.md", to: "/a.md")
        #expect(try laptop.lockbook.commands().count == 1)
    }
}

extension Lockbook {
    fileprivate func write(_ path: String, _ text: String) throws {
        var bytes: [UInt8]? = Array(text.utf8)
        try write(FileReference(path), append: false) {
            defer { bytes = nil }
            return bytes
        }
    }
}
