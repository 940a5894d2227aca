import LockbookCrypto
import LockbookModel
import LockbookTestSupport
import Testing

@testable import LockbookEngine

/// Two owners share with bob what has one id: who makes a file chooses its id.
struct SameIDTests: SharingStories {
    let people: Sharers

    init() throws { people = try Sharers() }

    private func desk(_ id: FileID) async throws -> Device {
        let laptop = try await ada.firstDevice()
        let tablet = try await carol.firstDevice(named: "tablet")
        let desk = try await bob.firstDevice(named: "desk")
        for device in [laptop, tablet] {
            _ = try device.lockbook.create(path: "/mould.md")
            try device.lockbook.store.write { tree in
                var file = try tree.file(try #require(try tree.find(path: "/mould.md")))
                (file.id, file.name) = (id, try FileName("same.md"))
                try tree.put(file)
            }
            try await device.sync()
            _ = try await device.lockbook.share(.path("/same.md"), with: "bob", mode: .write)
            try await device.sync()
            try await desk.sync()
            // The id would mean both.
            let owner = try device.lockbook.status().username
            _ = try desk.lockbook.acceptShare(id: "\(owner)/same.md")
        }
        return desk
    }

    @Test func `a search finds both`() async throws {
        let desk = try await desk(FileID(random: .system))
        let behind = try desk.lockbook.searchPlaces([.path("/")]).behind
        #expect(Set(behind.map(\.reference)).count == 1)
        #expect(Set(behind.map { ObjectIdentifier($0.lockbook.store) }).count == 2)
    }

    @Test(arguments: [32, 12]) func `the id means neither, however much of it is written`(
        digits: Int
    ) async throws {
        let id = FileID(random: .system)
        let desk = try await desk(id)
        let links = try desk.lockbook.store.read { try $0.allLinks() }.map(\.path)
        #expect(links.count == 2)
        let prefix = String("\(id)".prefix(digits))
        do {
            try desk.write("id:\(prefix)", "for one of them")
            Issue.record("it went to one of them")
        } catch LockbookError.ambiguous(let named, let matches) {
            #expect(named == "id:\(prefix)")
            #expect(Set(matches) == Set(links.map { "id:\(id)  \($0)" }))
        }
        for link in links { #expect(try await desk.text(link) == "") }
        var told: [LockbookError] = []
        try await desk.lockbook.search(SearchQuery("same"), in: [.id(prefix: prefix)]) { events in
            for case .noTarget(let error) in events { told.append(error) }
        }
        guard case .ambiguous? = told.first else {
            Issue.record("a search is told \(told)")
            return
        }
    }

    @Test func `an id that several files in one share begin with names them`() async throws {
        let notes = (0..<17).map { "\($0).md" }
        let (laptop, desk) = try await shared(holding: notes)
        let ids = try laptop.lockbook.list(.path("/team"), recursive: false).map(\.id)
        let own = try desk.lockbook.store.read { try [$0.root] + $0.allLinks().map(\.id) }
        let byDigit = Dictionary(grouping: ids) { String($0.prefix(1)) }.filter { digit, ids in
            ids.count > 1 && !own.contains { "\($0)".hasPrefix(digit) }
        }
        for digit in byDigit.keys {
            #expect {
                try desk.lockbook.info(FileReference("id:\(digit)"))
            } throws: { error in
                if case LockbookError.ambiguous = error { true } else { false }
            }
        }
    }
}
