import Foundation
import LockbookEngine
import LockbookTestSupport
import Testing

/// Files of contents that somebody removed, here or at the server: each is named, and keeps nothing
/// else from being synced.
struct LostContentTests {
    private let server: TestServer
    private let alice: Person

    init() throws {
        server = try TestServer()
        alice = Person("alice", on: server)
    }

    /// Removes what is in the device's folder of contents, as where a database was put back without it.
    private func loseContents(of device: Device) throws {
        let folder = device.directory + "/blobs"
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        try #require(!names.isEmpty)
        for name in names { try FileManager.default.removeItem(atPath: folder + "/" + name) }
    }

    /// Its content is of one segment, and of several.
    @Test(arguments: [100_000, 1_500_000])
    func `what is lost before it was pushed stays here, and all else goes`(size: Int) async throws {
        let laptop = try await alice.firstDevice()
        try laptop.write("/large.txt", noise(size, seed: 1))
        try loseContents(of: laptop)
        try laptop.write("/other.md", "other")
        let report = try await laptop.sync()
        #expect(report.pushed == ["/other.md"])
        #expect(report.notes.map(\.kind) == [.notPushed])
        #expect(report.notes.map(\.path) == ["/large.txt"])
        #expect(report.notes.first?.detail == "its content cannot be read on this device")

        try laptop.write("/large.txt", "new")
        #expect(try await laptop.sync().pushed == ["/large.txt"])
        let phone = try await alice.device(named: "phone", like: laptop)
        #expect(try phone.paths() == ["/large.txt", "/other.md"])
        #expect(try await phone.text("/large.txt") == "new")
    }

    @Test(arguments: [100_000, 1_500_000])
    func `what is lost while its entry waits is left out of the next one`(size: Int) async throws {
        let laptop = try await alice.firstDevice()
        try laptop.write("/other.md", "other")
        try laptop.write("/large.txt", noise(size, seed: 1))
        laptop.faults.next(size > 1 << 20 ? "/v1/upload" : "/v1/push", .lost)
        await #expect(throws: LockbookError.self) { try await laptop.sync() }
        try loseContents(of: laptop)
        try laptop.write("/third.md", "third")
        var pushed: Set<String> = []
        for _ in 0..<2 { pushed.formUnion(try await laptop.sync().pushed) }
        #expect(pushed == ["/other.md", "/third.md"])
        #expect(try await laptop.sync().notes.map(\.path) == ["/large.txt"])
    }

    @Test func `where another device wrote a version, that one is taken`() async throws {
        let (laptop, phone) = try await alice.twoDevices(holding: ["a.md": "base"])
        try laptop.write("/a.md", noise(100_000, seed: 1))
        try loseContents(of: laptop)
        try laptop.write("/other.md", "other")
        try phone.write("/a.md", "of the phone")
        try await phone.sync()
        try await laptop.sync()
        #expect(try await laptop.text("/a.md") == "of the phone")
        try await phone.sync()
        #expect(try await phone.text("/other.md") == "other")
        #expect(try await phone.snapshot() == laptop.snapshot())
    }

    @Test func `where it was purged elsewhere, the rest goes on`() async throws {
        let (laptop, phone) = try await alice.twoDevices(holding: ["trip/a.md": "a", "b.md": "b"])
        try laptop.write("/trip/a.md", noise(100_000, seed: 1))
        try loseContents(of: laptop)
        try laptop.write("/other.md", "other")
        _ = try phone.lockbook.purge([.path("/trip")])
        try await phone.sync()
        try await laptop.sync()
        try await phone.sync()
        #expect(try phone.paths() == ["/b.md", "/other.md"])
        #expect(try await phone.snapshot() == laptop.snapshot())
    }

    /// A bit of it is another one.
    @Test(arguments: [100_000, 1_500_000])
    func `what is damaged keeps no larger one back`(size: Int) async throws {
        let laptop = try await alice.firstDevice()
        try laptop.write("/first.txt", noise(size, seed: 1))
        try laptop.spoilContents()
        for number in 2...4 {
            try laptop.write("/\(number).txt", noise(size + number * 1_000, seed: UInt64(number)))
        }
        let report = try await laptop.sync()
        #expect(Set(report.pushed) == ["/2.txt", "/3.txt", "/4.txt"])
        #expect(report.notes.map(\.path) == ["/first.txt"])
    }

    /// What may become of the file of a content at the server.
    enum Harm: CaseIterable {
        case cut
        case empty
        case folder

        func happen(to file: URL) throws {
            let bytes = try Data(contentsOf: file)
            switch self {
            case .cut: try bytes.dropLast(1_000).write(to: file)
            case .empty: try Data().write(to: file)
            case .folder:
                try FileManager.default.removeItem(at: file)
                try FileManager.default.createDirectory(
                    at: file,
                    withIntermediateDirectories: false
                )
            }
        }
    }

    /// Removes files of contents at the server, the first ones by their names, or does them harm.
    private func lose(_ count: Int, by harm: Harm? = nil) throws {
        let blobs = server.path + "/blobs"
        let files = try FileManager.default.subpathsOfDirectory(atPath: blobs).filter {
            ($0 as NSString).lastPathComponent.utf8.count == 64
        }
        try #require(files.count >= count)
        for file in files.sorted().map({ URL(fileURLWithPath: blobs + "/" + $0) }).prefix(count) {
            if let harm {
                try harm.happen(to: file)
            } else {
                try FileManager.default.removeItem(at: file)
            }
        }
    }

    /// Syncs with all contents, and expects to be told of some that do not come.
    /// - Returns: the paths of all of them.
    @discardableResult
    private func syncLosing(_ device: Device) async throws -> [String] {
        let lost = "the server does not have a content it promised"
        var options = SyncOptions()
        options.full = true
        var paths: [String] = []
        do {
            _ = try await device.lockbook.sync(options) { report in
                paths = report.notes.filter { $0.kind == .contentLost && $0.detail == lost }
                    .map(\.path)
            }
            Issue.record("nothing is said of what is lost")
        } catch LockbookError.badContent(let path, let reason) {
            #expect(reason == lost && paths.contains(path))
        }
        return paths
    }

    @Test(arguments: [(100_000, 12, 20), (1_500_000, 2, 3)])
    func `what the server lost is told, and everything else comes`(
        size: Int,
        lost: Int,
        of count: Int
    ) async throws {
        let laptop = try await alice.firstDevice()
        for number in 1...count {
            try laptop.write("/\(number).txt", noise(size, seed: UInt64(number)))
        }
        try await laptop.sync()
        try lose(lost)
        let phone = try await alice.device(named: "phone", like: laptop, synced: false)
        for _ in 0..<2 {
            let paths = try await syncLosing(phone)
            #expect(Set(paths).count == lost && paths.count == lost)
            #expect(Set(try phone.paths()).isSuperset(of: paths))
            #expect(try phone.lockbook.status().notHere == lost)
        }
        // What is written there goes on.
        try phone.write("/new.md", "new")
        try await syncLosing(phone)
        try await laptop.sync()
        #expect(try await laptop.text("/new.md") == "new")
    }

    @Test(arguments: Harm.allCases, [100_000, 1_500_000])
    func `what is damaged at the server counts as lost, and everything else comes`(
        harm: Harm,
        size: Int
    ) async throws {
        let laptop = try await alice.firstDevice()
        for number in 1...3 {
            try laptop.write("/\(number).txt", noise(size, seed: UInt64(number)))
        }
        try await laptop.sync()
        try lose(1, by: harm)
        let phone = try await alice.device(named: "phone", like: laptop, synced: false)
        for _ in 0..<2 {
            #expect(try await syncLosing(phone).count == 1)
            #expect(try phone.lockbook.status().notHere == 1)
        }
    }

    @Test func `what is damaged at the server keeps nothing from being sent to others`()
        async throws
    {
        let laptop = try await alice.firstDevice()
        let bob = Person("bob", on: server)
        let desk = try await bob.firstDevice(named: "desk")
        try laptop.write("/team/plan.md", "a plan")
        _ = try await laptop.lockbook.share(.path("/team"), with: "bob", mode: .write)
        try await laptop.sync()
        try await desk.sync()
        _ = try desk.lockbook.acceptShare(id: #require(try desk.lockbook.offers().first).id)
        try desk.write("/own.txt", noise(100_000, seed: 1))
        try await desk.sync()
        try lose(1, by: .cut)
        let tablet = try await bob.device(named: "tablet", like: desk, synced: false)
        try await syncLosing(tablet)
        try tablet.write("/team/plan.md", "a better plan")
        try await syncLosing(tablet)
        try await laptop.sync()
        #expect(try await laptop.text("/team/plan.md") == "a better plan")
    }

    @Test func `what the server lost of a share is told, and everything else comes`() async throws {
        let laptop = try await alice.firstDevice()
        let desk = try await Person("bob", on: server).firstDevice(named: "desk")
        for number in 1...20 {
            try laptop.write("/team/\(number).txt", noise(100_000, seed: UInt64(number)))
        }
        try await laptop.sync()
        try await desk.sync()
        _ = try await laptop.lockbook.share(.path("/team"), with: "bob", mode: .write)
        try await laptop.sync()
        try await desk.sync()
        try lose(3)
        _ = try desk.lockbook.acceptShare(id: #require(try desk.lockbook.offers().first).id)
        for _ in 0..<2 {
            let paths = try await syncLosing(desk)
            #expect(paths.count == 3)
            #expect(Set(try desk.paths()).isSuperset(of: paths))
        }
        desk.faults.lie("/v1/blobs") { _ in [] }
        var here = 0
        for path in try desk.paths() where path.hasSuffix(".txt") {
            if (try? await desk.text(path)) != nil { here += 1 }
        }
        #expect(here == 17, "without asking the server")
        desk.faults.tellTruth()
        try desk.write("/team/new.md", "new")
        try await syncLosing(desk)
        try await laptop.sync()
        #expect(try await laptop.text("/team/new.md") == "new")
    }

    @Test func `where both devices wrote, and the server lost the one, both stay`() async throws {
        let (laptop, phone) = try await alice.twoDevices(holding: ["a.md": "base"])
        let texts = [noise(100_000, seed: 1), noise(100_000, seed: 2)]
        try laptop.write("/a.md", texts[0])
        try await laptop.sync()
        try lose(1)
        try phone.write("/a.md", texts[1])
        try phone.write("/other.md", "other")
        try await syncLosing(phone)
        try await laptop.sync()
        #expect(try await laptop.text("/other.md") == "other")
        var found: Set<String> = []
        for path in try laptop.paths() where path.hasPrefix("/a") {
            found.insert(try await laptop.text(path))
        }
        #expect(found == Set(texts))
    }
}
