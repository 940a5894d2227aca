import Foundation
import LockbookAPI
import LockbookCrypto
import LockbookModel
import Testing

/// What a client without checks pushes, and the server must not take.
struct ViolationTests {
    let server: TestServer
    var ada: TestPerson
    let outer: File
    let inner: File
    let note: File

    init() async throws {
        server = try TestServer()
        ada = try await TestPerson.ada(at: server)
        outer = try ada.file("outer", type: .folder)
        inner = try ada.file("inner", in: outer.id, type: .folder)
        note = try ada.file("note.md", in: outer.id)
        try await ada.push(
            [ada.record(outer), ada.record(inner), ada.record(note)],
            to: server
        )
    }

    @Test mutating func `a folder moved into its own child`() async throws {
        try await refuses([ada.file("outer", in: inner.id, id: outer.id, type: .folder)])
    }

    @Test mutating func `two folders moved into each other`() async throws {
        let one = try ada.file("one", type: .folder)
        let two = try ada.file("two", type: .folder)
        try await ada.push([ada.record(one), ada.record(two)], to: server)
        try await refuses([
            ada.file("one", in: two.id, id: one.id, type: .folder),
            ada.file("two", in: one.id, id: two.id, type: .folder),
        ])
    }

    @Test mutating func `a second root`() async throws {
        let id = FileID(random: .system)
        try await refuses([ada.file("root", in: id, id: id, type: .folder)])
    }

    @Test mutating func `a changed root`() async throws {
        try await refuses([ada.file("else", in: ada.root, id: ada.root, type: .folder)])
    }

    @Test mutating func `a root that is moved`() async throws {
        try await refuses([ada.file("root", in: outer.id, id: ada.root, type: .folder)])
    }

    @Test mutating func `a root that is deleted`() async throws {
        try await refuses([
            ada.file("someone", in: ada.root, id: ada.root, type: .folder, isDeleted: true)
        ])
    }

    @Test mutating func `a name that another file has`() async throws {
        try await refuses([ada.file("note.md", in: outer.id)])
    }

    @Test mutating func `one name twice in one push`() async throws {
        try await refuses([ada.file("same"), ada.file("same")])
    }

    @Test mutating func `a file whose folder there is not`() async throws {
        try await refuses([ada.file("a", in: FileID(random: .system))])
    }

    @Test mutating func `a document that becomes a folder`() async throws {
        try await refuses([ada.file("note.md", in: outer.id, id: note.id, type: .folder)])
    }

    @Test mutating func `a child under a document`() async throws {
        try await refuses([ada.file("a", in: note.id)])
    }

    @Test mutating func `a foreign author`() async throws {
        var file = try ada.file("a")
        file.author = try TestPerson("bob", seed: 2).account
        try await refuses([file])
    }

    @Test mutating func `a record of another tree`() async throws {
        let bob = try TestPerson("bob", seed: 2)
        try await refuses(records: [ada.record(ada.file("a"), owner: bob.account)])
    }

    @Test mutating func `a record of another device than the entry's`() async throws {
        var file = try ada.file("a")
        file.device = DeviceID(random: .system)
        try await refuses([file])
    }

    @Test mutating func `a write below a deleted folder`() async throws {
        try await ada.push(
            [ada.record(ada.file("outer", id: outer.id, type: .folder, isDeleted: true))],
            to: server
        )
        try await refuses([ada.file("a", in: inner.id)])
        try await refuses([ada.file("other.md", in: outer.id, id: note.id)])
    }

    @Test mutating func `a skipped generation of a key`() async throws {
        try await refuses([ada.file("a", parentEpoch: 2)])
        try await refuses([ada.file("note.md", in: outer.id, id: note.id, epoch: 3)])
    }

    @Test mutating func `another key in the same epoch, also of its owner`() async throws {
        var forgetful = ada
        for file in [note, inner] {
            forgetful.folders[file.id] = nil
            try await refuses(records: [forgetful.record(file)])
        }
        let next = try ada.file("note.md", in: outer.id, id: note.id, epoch: 2)
        let response = try await ada.push([forgetful.record(next)], to: server)
        #expect(response.outcome == .accepted(Lockbook_V1_Accepted()))
    }

    @Test mutating func `content of another size than it says`() async throws {
        var file = try ada.file("a", blob: [1, 2, 3])
        file.content?.blobSize = 4
        try await refuses([file], blobs: [[1, 2, 3]])
    }

    @Test mutating func `a scope that is not the file's`() async throws {
        let record = try ada.record(ada.file("a"))
        let (request, _) = try ada.push([record], scope: outer.id)
        try await refuses(request)
    }

    @Test mutating func `one violation refuses the whole push`() async throws {
        try await refuses([
            ada.file("fine"), ada.file("note.md", in: outer.id), ada.file("fine too"),
        ])
    }

    private mutating func refuses(_ files: [File], blobs: [[UInt8]] = []) async throws {
        var records: [FileRecord] = []
        for file in files { records.append(try ada.record(file)) }
        try await refuses(records: records, blobs: blobs)
    }

    private func refuses(records: [FileRecord], blobs: [[UInt8]] = []) async throws {
        try await refuses(try ada.push(records, blobs: blobs).request)
    }

    private func refuses(_ request: Lockbook_V1_PushRequest) async throws {
        let before = try await server.stateHash(of: ada)
        await #expect(throws: Refused.violation) {
            let _: Lockbook_V1_PushResponse = try await ada.send(request, to: .push, of: server)
        }
        #expect(try await server.stateHash(of: ada) == before)
    }
}
