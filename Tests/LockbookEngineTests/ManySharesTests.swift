import GRDB
import LockbookCrypto
import LockbookModel
import LockbookTestSupport
import Testing

@testable import LockbookEngine

/// What is done with many files that one account shares.
struct ManySharesTests: SharingStories {
    let people: Sharers

    init() throws { people = try Sharers() }

    /// Ada's notes of these names, or folders with one, each shared with bob by itself, and bob's desk,
    /// which has not synced since.
    private func offered(_ names: [String], areFolders: Bool = false) async throws -> (
        laptop: Device, desk: Device
    ) {
        let laptop = try await ada.firstDevice()
        for name in names { try laptop.write("/\(name)\(areFolders ? "/note.md" : "")", "note") }
        try await laptop.sync()
        let desk = try await bob.firstDevice(named: "desk")
        for name in names {
            _ = try await laptop.lockbook.share(.path("/\(name)"), with: "bob", mode: .write)
        }
        try await laptop.sync()
        return (laptop, desk)
    }

    /// The store of what ada shares, on a device of bob's.
    private func shares(of laptop: Device, on desk: Device) throws -> LocalStore {
        let owner = laptop.lockbook.store.context.owner
        return try #require(try desk.lockbook.shared(by: owner)).store
    }

    /// The statements that are run in a store.
    private func statements(in store: LocalStore, _ body: () throws -> Void) throws -> [String] {
        var statements: [String] = []
        store.queue.inDatabase { db in
            db.trace { event in
                if case .statement(let statement) = event { statements.append(statement.sql) }
            }
        }
        defer { store.queue.inDatabase { db in db.trace() } }
        try body()
        return statements
    }

    @Test func `each offer is looked at by itself, however many there are`() async throws {
        let names = (0..<16).map { "\($0).md" }
        let (laptop, desk) = try await offered(names)
        let told = try await desk.sync().notes.filter { $0.kind == .offered }
        #expect(told.map(\.path).sorted() == names.sorted())
        #expect(Set(told.map(\.detail)) == ["ada, write"])

        let shared = try shares(of: laptop, on: desk)
        let modes = try shared.read { try $0.held() }
        try #require(modes.count == names.count)
        var statements = 0
        let report = try await desk.lockbook.withServer { sync in
            statements = try self.statements(in: shared) {
                try sync.noteOffered(modes, in: shared)
            }.count
        }
        #expect(report.notes.count == names.count)
        // Of each its row, its key, its name, and what is around it.
        #expect(statements < names.count * 25)
    }

    @Test func `what may be done is found out once for all files that a command writes`()
        async throws
    {
        let names = (0..<24).map { "\($0).md" }
        let (laptop, desk) = try await offered(names)
        try await desk.sync()
        let shared = try shares(of: laptop, on: desk)
        let statements = try statements(in: shared) {
            try shared.read { tree in
                let files = try tree.held().keys
                try #require(files.count == names.count)
                for file in files {
                    let row = try #require(try tree.row(file))
                    try tree.requireRight(to: try tree.file(row), row)
                }
            }
        }
        // For each of them all that bob holds was looked up.
        #expect(statements.count < names.count * names.count)
    }

    @Test func `a right that was lowered meanwhile counts for the next file`() async throws {
        let (laptop, desk) = try await offered(["one.md", "two.md"])
        try await desk.sync()
        let shared = try shares(of: laptop, on: desk)
        try shared.write { tree in
            let held = try #require(try tree.held().keys.first)
            let row = try #require(try tree.row(held))
            let file = try tree.file(row)
            try tree.requireRight(to: file, row)
            let known = try #require(try tree.grants(of: row.id).first)
            let lowered = try Grant(
                owner: known.owner,
                file: known.file,
                grantee: known.grantee,
                named: known.granteeName,
                mode: .read,
                grantor: known.grantor,
                serial: known.serial + 1,
                created: known.created,
                signedBy: laptop.lockbook.keys.signing
            )
            try tree.keep(lowered)
            #expect(throws: LockbookError.self) { try tree.requireRight(to: file, row) }
        }
    }

    @Test func `links are found without a look at every file`() async throws {
        let (laptop, desk) = try await shared()
        for device in [laptop, desk] {
            let store = device.lockbook.store
            let asked = try statements(in: store) { _ = try store.read { try $0.allLinks() } }
            // The others are about one file each.
            let queries = asked.filter { $0.contains("FROM file") && !$0.contains("?") }
            let steps = try store.queue.inDatabase { db in
                try queries.flatMap { query in
                    try Row.fetchAll(db, sql: "EXPLAIN QUERY PLAN \(query)")
                        .map { $0["detail"] as String }
                }
            }
            #expect(!steps.isEmpty)
            #expect(steps.allSatisfy { $0.contains("USING INDEX file_link") })
        }
    }

    @Test func `links are asked for once, however many accounts share something`() async throws {
        let (_, desk) = try await shared()
        let tablet = try await carol.firstDevice(named: "tablet")
        try tablet.write("/carols/note.md", "note")
        try await tablet.sync()
        try await share("/carols", .write, tablet, desk)
        let lockbook = desk.lockbook
        let questions: [(String, () throws -> Int)] = [
            ("otherTrees", { try lockbook.askOthers(UnreadTrees()) { $0 }.count }),
            ("offers", { try lockbook.offers().count }),
            ("sharesOfOthers", { try lockbook.sharesOfOthers().count }),
            ("sharedChanges", { try lockbook.sharedChanges(UnreadTrees()).count }),
        ]
        for (name, ask) in questions {
            let asked = try statements(in: lockbook.store) { _ = try ask() }
            #expect(asked.count { $0.contains("type = 2") } == 1, "\(name)")
        }
        #expect(try lockbook.askOthers(UnreadTrees()) { $0 }.count == 2)
        #expect(try lockbook.sharesOfOthers().count == 2)
    }

    @Test func `what several links lead to is listed in one transaction`() async throws {
        let names = (0..<4).map { "f\($0)" }
        let (laptop, desk) = try await offered(names, areFolders: true)
        try await desk.sync()
        for offer in try desk.lockbook.offers() {
            _ = try desk.lockbook.acceptShare(id: offer.id)
        }
        #expect(
            try desk.paths().sorted()
                == names.flatMap { ["/\($0)", "/\($0)/note.md"] }.sorted()
        )
        let owner = laptop.lockbook.store.context.owner
        let other = try #require(try desk.lockbook.shared(by: owner))
        let tops = try other.store.read { try $0.held() }.keys.map { FileReference.path("/\($0)") }
        var lists: [Result<[FileInfo], LockbookError>] = []
        let asked = try statements(in: other.store) {
            lists = try other.list(each: tops + [.path("/none")])
        }
        #expect(lists.count == names.count + 1)
        let found = lists.compactMap { try? $0.get() }
        #expect(found.map { $0.map(\.name) } == names.map { _ in ["note.md"] })
        #expect(asked.count { $0.hasPrefix("BEGIN") } == 1)
        // What is on the server alone, and what was changed, is asked for once.
        #expect(asked.count { $0.contains("local IS NOT NULL") } == 1)
        // No block of the index has to be opened to know what a shared file is called here.
        let (row, blocks) = try other.store.read { tree in
            let held = try #require(try tree.held().keys.first)
            let row = try #require(try tree.row(held))
            return (try tree.path(of: row), tree.blocks.count)
        }
        #expect(tops.contains(.path(row)))
        #expect(blocks == 0)
    }

    @Test func `a listing without marks has the same files, and does not ask for any`() async throws
    {
        let (_, desk) = try await offered(["a", "b"], areFolders: true)
        try await desk.sync()
        for offer in try desk.lockbook.offers() {
            _ = try desk.lockbook.acceptShare(id: offer.id)
        }
        let marked = try desk.lockbook.list(.path("/"), recursive: true)
        var plain: [FileInfo] = []
        let asked = try statements(in: desk.lockbook.store) {
            plain = try desk.lockbook.list(.path("/"), recursive: true, marks: false)
        }
        #expect(marked.map(\.path) == ["/a", "/a/note.md", "/b", "/b/note.md"])
        #expect(plain.map(\.path) == marked.map(\.path))
        #expect(marked.contains(where: \.isChanged) && !plain.contains(where: \.isChanged))
        #expect(!asked.contains("SELECT id FROM file WHERE local IS NOT NULL"))
    }

    @Test func `what is held is read at once, without a look at each file`() async throws {
        let names = (0..<16).map { "\($0).md" }
        let (laptop, desk) = try await offered(names)
        try await desk.sync()
        let shared = try shares(of: laptop, on: desk)
        var held = 0
        let asked = try statements(in: shared) { held = try shared.read { try $0.held().count } }
        #expect(held == names.count)
        #expect(asked.count < names.count)
    }

    @Test func `what members are called is looked for once, however many see something`()
        async throws
    {
        let names = (0..<8).map { "\($0).md" }
        let (laptop, _) = try await offered(names)
        // It never met bob: the grants alone say what he is called.
        let phone = try await ada.device(named: "phone", like: laptop)
        var shares: [ShareInfo] = []
        let asked = try statements(in: phone.lockbook.store) {
            shares = try phone.lockbook.shares()
        }
        #expect(shares.map(\.username) == names.map { _ in "bob" })
        #expect(asked.count { $0.hasPrefix("SELECT bytes FROM share_grant") } < names.count)
    }

    @Test func `for what ended, and was given to nobody, no sync looks any more`() async throws {
        let (laptop, desk) = try await offered(["a.md"])
        try await desk.sync()
        _ = try desk.lockbook.acceptShare(id: try #require(desk.lockbook.offers().first).id)
        try await desk.sync()
        try laptop.lockbook.setShare(.path("/a.md"), of: "bob", to: nil)
        try await laptop.sync()
        #expect(try await desk.sync().notes.map(\.kind) == [.takenBack])
        #expect(try desk.lockbook.store.read { try $0.endedShares().isEmpty })
    }

    @Test func `of offers only the one that is accepted by its id is opened`() async throws {
        let (laptop, desk) = try await offered(["one.md", "two.md"])
        try await desk.sync()
        let offers = try desk.lockbook.offers()
        let (offer, other) = (try #require(offers.first), try #require(offers.last))
        try shares(of: laptop, on: desk).write { tree in
            try tree.db.execute(
                sql: "UPDATE file SET base = x'00' WHERE hex(id) = ?",
                arguments: [other.id.uppercased()]
            )
        }
        // The other one is no record any more.
        var unread: [String] = []
        #expect(try desk.lockbook.offers(unread: { unread.append($0.path) }).isEmpty)
        #expect(unread == ["what ada shares"])
        #expect(try desk.lockbook.acceptShare(id: offer.id).path == "/\(offer.name)")
    }

    @Test func `one of many shares is pushed with one look at each of the others`() async throws {
        let names = (0..<16).map { "\($0).md" }
        let (laptop, _) = try await offered(names)
        let store = laptop.lockbook.store
        let asked = try statements(in: store) {
            try store.read { tree in
                let shared = try tree.sharedIDs()
                #expect(shared.count == names.count)
                let file = try #require(shared.min())
                _ = try tree.completed(ShareEntry(file: file, sealed: SealedScopes()))
            }
        }
        #expect(asked.count < names.count * 2)
    }

    @Test func `what is only offered takes no more than a look in each sync`() async throws {
        let names = (0..<16).map { "\($0).md" }
        let (_, desk) = try await offered(names)
        try await desk.sync()
        _ = try await desk.lockbook.withServer { sync in
            try await sync.run()
            let other = sync.others.first
            let shared = try #require(other).store
            #expect(try shared.read { try $0.absentCount() } == names.count)
            var asked = 0
            shared.queue.inDatabase { db in db.trace { _ in asked += 1 } }
            defer { shared.queue.inDatabase { db in db.trace() } }
            try sync.followTransfers()
            let transfers = asked
            try await sync.pushOthers()
            // In which transfers are followed, too.
            #expect(asked - 2 * transfers < names.count * 2)
        }
    }
}
