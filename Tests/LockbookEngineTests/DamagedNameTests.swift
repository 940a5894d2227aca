import LockbookCrypto
import LockbookModel
import LockbookTestSupport
import Testing

@testable import LockbookEngine

/// What a damaged file is called, where a member chooses its id and the names beside it.
struct DamagedNameTests: SharingStories {
    let people: Sharers

    init() throws { people = try Sharers() }

    private func members() async throws -> (laptop: Device, intruder: Intruder) {
        let (laptop, desk) = try await shared()
        let cafe = try await bob.device(named: "cafe", like: desk)
        return (laptop, try Intruder(cafe, in: "/team"))
    }

    @Test func `nothing else in its folder is called that`() async throws {
        let (laptop, intruder) = try await members()
        let single = "damaged-" + String(repeating: "cd", count: 6)
        let names = [
            "damaged-" + String(repeating: "ab", count: 6),
            "damaged-" + String(repeating: "ab", count: 16), single, single + "-1",
        ]
        var ids: [[UInt8]] = [0xab, 0xab, 0xcd].map { Array(repeating: $0, count: 16) }
        ids[1][15] = 0xac
        let damaged = try ids.map { try intruder.damaged(.document, $0) }
        try await intruder.push(damaged + names.map { try intruder.healthy($0) })
        try await laptop.sync()

        let files = try laptop.lockbook.list(.path("/team"), recursive: false)
        #expect(files.count == 8)
        #expect(Set(files.map(\.path)).count == 8)
        let shown = files.filter(\.isDamaged).map(\.name)
        #expect(shown.count == 3 && shown.contains(single + "-2"))
        for file in files { #expect(try laptop.lockbook.info(.path(file.path)) == file) }
        // What completion puts into a command is that file.
        let offered = try laptop.lockbook.completions(of: "/team/").map(\.value)
        #expect(offered.sorted() == files.map(\.path).sorted())
        let typed = "/team/\(single)-2"
        #expect(try laptop.lockbook.completions(of: typed).map(\.value) == [typed])
    }

    @Test func `a folder with it is copied whole or not at all`() async throws {
        let (laptop, intruder) = try await members()
        try await intruder.push([
            intruder.damaged(.document, Array(repeating: 0xab, count: 16))
        ])
        try await laptop.sync()
        let damaged = "/team/damaged-" + String(repeating: "ab", count: 6)
        #expect(throws: LockbookError.damaged(file: damaged, author: "bob")) {
            try laptop.lockbook.copy([.path("/team")], to: "/copy")
        }
        #expect(try laptop.paths() == ["/team/", damaged, "/team/plan.md"])
    }

    @Test func `a folder that keeps it when the share is taken back is called as nothing else`()
        async throws
    {
        let (laptop, intruder) = try await members()
        let digits = String(repeating: "ef", count: 6)
        try await intruder.push([
            intruder.damaged(.folder, Array(repeating: 0xef, count: 16)),
            intruder.healthy("damaged-" + digits),
        ])
        try await laptop.sync()
        try laptop.lockbook.setShare(.path("/team"), of: "bob", to: nil)
        #expect(try await laptop.sync().purged.isEmpty)
        #expect(
            try laptop.paths() == [
                "/team/", "/team/damaged-\(digits)", "/team/damaged-\(digits)-1/", "/team/plan.md",
            ]
        )
        try await converge(ada, laptop, try await ada.device(named: "tablet", like: laptop))
    }
}

extension Intruder {
    fileprivate func healthy(_ name: String) throws -> FileRecord {
        try record(.document, FileID(random: .system), name)
    }

    /// One whose body is nonsense.
    fileprivate func damaged(_ type: FileType, _ id: [UInt8]) throws -> FileRecord {
        var bytes = try record(type, #require(FileID(id)), "of \(id)").bytes
        bytes[bytes.count - 20] ^= 1
        return try FileRecord(bytes)
    }

    private func record(_ type: FileType, _ id: FileID, _ name: String) throws -> FileRecord {
        try share.store.read { tree in
            let top = try #require(try tree.row(scope))
            return try FileRecord(
                sealing: file(type, name, in: scope, id: id),
                owner: owner,
                key: FileKey(random: .system),
                in: tree.folderKeys(of: top),
                random: .system
            )
        }
    }
}
