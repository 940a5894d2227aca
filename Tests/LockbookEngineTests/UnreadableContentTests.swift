import Foundation
import Glibc
import LockbookTestSupport
import Testing

@testable import LockbookEngine

/// Contents that are here and that the disk does not give: it is their notes' matter alone.
struct UnreadableContentTests {
    /// What keeps the file of a content from being read, by whoever runs this.
    enum Harm: CaseIterable {
        /// It does not open.
        case loop
        /// It opens, and nothing is read from it.
        case folder

        /// Does it to all files of contents that are here.
        func happen(to device: Device) throws {
            let folder = URL(fileURLWithPath: device.directory + "/blobs")
            let files = FileManager.default
            let names = try files.contentsOfDirectory(atPath: folder.path)
            try #require(!names.isEmpty)
            for name in names {
                let path = folder.appending(path: name).path
                try files.removeItem(atPath: path)
                switch self {
                case .loop: try files.createSymbolicLink(atPath: path, withDestinationPath: name)
                case .folder:
                    try files.createDirectory(atPath: path, withIntermediateDirectories: false)
                }
            }
        }

        var reason: String { String(cString: strerror(self == .loop ? ELOOP : EISDIR)) }
    }

    private let alice: Person

    init() throws {
        alice = Person("alice", on: try TestServer())
    }

    /// - Returns: a device with `/a.md`, `/m.md`, which is a file of its own, and `/z.md`.
    private func device() async throws -> Device {
        let laptop = try await alice.firstDevice()
        for name in ["/a.md", "/z.md"] { try laptop.write(name, "a #boat [[m]]") }
        try laptop.write("/m.md", noise(100_000, seed: 1))
        return laptop
    }

    private func isUnreadable(_ error: LockbookError?, _ path: String, _ harm: Harm) -> Bool {
        guard case .unreadableContent(path, _, harm.reason)? = error else { return false }
        return true
    }

    @Test(arguments: Harm.allCases)
    func `what reads one note names it`(harm: Harm) async throws {
        let laptop = try await device()
        try harm.happen(to: laptop)
        var error = await #expect(throws: LockbookError.self) { try await laptop.text("/m.md") }
        #expect(isUnreadable(error, "/m.md", harm))
        error = #expect(throws: LockbookError.self) {
            try laptop.lockbook.links(of: .path("/m.md"))
        }
        #expect(isUnreadable(error, "/m.md", harm))
        #expect(try laptop.lockbook.validate().count == 1)
    }

    @Test(arguments: Harm.allCases)
    func `what looks through all notes names it and goes on`(harm: Harm) async throws {
        let laptop = try await device()
        try harm.happen(to: laptop)
        let tags = try laptop.lockbook.tags()
        #expect(tags.found.map(\.documents) == [2])
        #expect(tags.unread.map(\.path) == ["/m.md"])
        #expect(isUnreadable(tags.unread.first?.reason, "/m.md", harm))
        let links = try laptop.lockbook.backlinks(to: .path("/m.md"))
        #expect(links.found.map(\.path) == ["/a.md", "/z.md"])
        #expect(links.unread.map(\.path) == ["/m.md"])
        let told = try await laptop.search("boat")
        #expect(told.matched == ["/a.md", "/z.md"])
        #expect(told.unread.map { $0.path } == ["/m.md"])
        #expect(isUnreadable(told.unread.first?.reason, "/m.md", harm))
    }

    @Test(arguments: Harm.allCases, [false, true])
    func `an export names it, and keeps what an earlier one wrote`(harm: Harm, mirrors: Bool)
        async throws
    {
        let laptop = try await device()
        let options = mirrors ? ExportOptions.mirroring : ExportOptions()
        let place = try Place()
        try await place.export(laptop, options)
        try laptop.write("/m.md", noise(100_000, seed: 2))
        try laptop.write("/z.md", "new")
        try harm.happen(to: laptop)
        let report = try await place.export(laptop, options)
        #expect(report.updated == 1)
        #expect(
            report.problems.filter { $0.path == "/m.md" }.map(\.reason)
                == ["its content cannot be read: \(harm.reason)"]
        )
        #expect(try place.text("z.md") == "new")
        #expect(try place.text("m.md") == noise(100_000, seed: 1))
    }

    @Test(arguments: Harm.allCases)
    func `an import names it, and takes in the rest`(harm: Harm) async throws {
        let laptop = try await alice.firstDevice()
        let place = try Place()
        let source = "\(place.url.path)/."
        func take() throws -> TransferReport {
            try laptop.lockbook.importFromDisk([source], to: "/") { _ in }
        }
        for name in ["a.md", "z.md"] { try place.write(name, "one") }
        try place.write("m.md", noise(100_000, seed: 1))
        #expect(try take().created == 3)
        try harm.happen(to: laptop)
        for name in ["a.md", "m.md", "new.md", "z.md"] { try place.write(name, "edited") }
        let first = try take()
        #expect((first.created, first.updated) == (1, 2))
        // It is no more known as taken in than before.
        for report in [first, try take()] {
            #expect(report.problems.map(\.path) == ["\(source)/m.md"])
            #expect(
                report.problems.map(\.reason)
                    == ["the document that is there cannot be read: \(harm.reason)"]
            )
        }
    }

    @Test(arguments: Harm.allCases)
    func `an archive holds the rest`(harm: Harm) async throws {
        let laptop = try await device()
        try harm.happen(to: laptop)
        let report = try await laptop.lockbook.archive(
            .path("/"),
            as: .tar,
            progress: { _ in },
            into: { _ in }
        )
        #expect(report.created == 2)
        #expect(report.problems.map(\.path) == ["/m.md"])
    }

    /// Its content is of one segment, and of several.
    @Test(arguments: Harm.allCases, [100_000, 1_500_000])
    func `a sync leaves it here, and all else goes`(harm: Harm, size: Int) async throws {
        let laptop = try await alice.firstDevice()
        try laptop.write("/large.txt", noise(size, seed: 1))
        try harm.happen(to: laptop)
        try laptop.write("/other.md", "other")
        let report = try await laptop.sync()
        #expect(report.pushed == ["/other.md"])
        #expect(report.notes.map(\.kind) == [.notPushed])
        #expect(report.notes.map(\.path) == ["/large.txt"])
        #expect(report.notes.first?.detail == "its content cannot be read on this device")
    }

    /// The server never had it, and what it was a save of goes from here.
    @Test(arguments: Harm.allCases)
    func `an earlier save keeps nothing else from being kept`(harm: Harm) async throws {
        let laptop = try await alice.firstDevice()
        try laptop.write("/n.md", "first")
        try await laptop.sync()
        let phone = try await alice.device(named: "phone", like: laptop)
        try laptop.write("/n.md", noise(100_000, seed: 1))
        try laptop.write("/n.md", "third")
        try laptop.write("/n.md", "fourth")
        _ = try phone.lockbook.purge([.path("/n.md")])
        try await phone.sync()
        try harm.happen(to: laptop)
        let report = try await laptop.sync()
        #expect(report.notes.map(\.kind) == [.rescued])
        // What was purged is in the trash.
        let texts = try await laptop.versionTexts("/n.md")
        #expect(texts.first == "fourth")
        #expect(Set(texts) == ["third", "fourth"])
    }

    @Test func `what the server has is fetched again when it is read`() async throws {
        let laptop = try await device()
        try await laptop.sync()
        try Harm.loop.happen(to: laptop)
        #expect(try await laptop.text("/m.md") == noise(100_000, seed: 1))
        #expect(try laptop.lockbook.validate() == [])
    }

    @Test func `what this process has too little of is no note's matter`() {
        let failure = DiskFailure("/blob", code: EMFILE)
        #expect(failure.reading("/m.md") == .io(path: "/blob", reason: failure.reason))
        #expect(LockbookError(inside: failure) == .io(path: "/blob", reason: failure.reason))
    }
}
