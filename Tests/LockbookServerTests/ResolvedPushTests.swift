import Foundation
import LockbookAPI
import LockbookCrypto
import LockbookModel
import Testing

@testable import LockbookServer

/// What is looked up of a push before it keeps others from writing.
struct ResolvedPushTests {
    @Test func `is what it changes, and all that this stands in`() async throws {
        let server = try TestServer()
        var ada = try await TestPerson.ada(at: server)
        let outer = try ada.file("outer", type: .folder)
        let inner = try ada.file("inner", in: outer.id, type: .folder)
        let note = try ada.file("note.md", in: inner.id)
        let beside = try ada.file("beside.md")
        try await ada.push(
            [outer, inner, note, beside].map { try ada.record($0) },
            to: server
        )
        let new = try ada.file("new", in: outer.id, type: .folder)
        let below = try ada.file("below.md", in: new.id)
        let request = try ada.push([note, new, below].map { try ada.record($0) }).request
        let header = try EntryHeader(Array(request.header))
        let id = ada.account
        let current = try await server.folder.store.read { store -> [FileID: Bool] in
            let account = try store.requireAccount(id)
            let push = try PreparedPush(request, header: header, by: account, for: account)
            guard case .ready(let resolved) = try push.resolve(in: store, for: account) else {
                return [:]
            }
            return resolved.current.mapValues { $0 != nil }
        }
        #expect(
            current == [
                ada.root: true, outer.id: true, inner.id: true, note.id: true, new.id: false,
                below.id: false,
            ]
        )
    }

    @Test func `what the tree does not allow is refused before others wait for it`() async throws {
        let server = try TestServer()
        var ada = try TestPerson("ada", seed: 1)
        try await ada.register(at: server)
        try await ada.push([ada.record(ada.file("a.md"))], to: server)
        let request = try ada.push([ada.record(ada.file("a.md"))]).request
        let header = try EntryHeader(Array(request.header))
        let id = ada.account
        await #expect(throws: Violation.self) {
            try await server.folder.store.read { store in
                let account = try store.requireAccount(id)
                let push = try PreparedPush(request, header: header, by: account, for: account)
                _ = try push.resolve(in: store, for: account)
            }
        }
    }

    @Test func `who says meanwhile that he wants nothing of it is not let in`() async throws {
        let server = try TestServer()
        let three = try await TestPerson.three(at: server)
        var ada = three.ada
        let bob = three.bob
        var pub = try ada.file("pub", type: .folder)
        try await ada.push([ada.record(pub)], to: server)
        pub.scope = pub.id
        let change = try ScopeChange(
            scope: pub.id,
            records: [ada.record(pub)],
            grants: [ada.grant(pub.id, to: bob, .read)],
            wraps: [ada.wrap(pub.id, for: bob)]
        )
        let head = try #require(ada.head)
        let request = try ada.entry([change], in: ada.account, after: head).request
        let header = try EntryHeader(Array(request.header))
        let (owner, other) = (ada.account, bob.account)
        let resolved = try await server.folder.store.read { store -> ResolvedPush? in
            let account = try store.requireAccount(owner)
            let push = try PreparedPush(request, header: header, by: account, for: account)
            guard case .ready(let resolved) = try push.resolve(in: store, for: account) else {
                return nil
            }
            return resolved
        }
        let push = try #require(resolved)
        await #expect(throws: Refusal.self) {
            try await server.folder.store.write { store in
                let key = try store.requireAccount(other).key
                try store.set(.blocked, of: key, with: owner)
                _ = try push.commit(to: store, for: store.requireAccount(owner), at: 7)
            }
        }
        let outcome = try await server.folder.store.write { store in
            try push.commit(to: store, for: store.requireAccount(owner), at: 7)
        }
        guard case .accepted = outcome else {
            Issue.record("the push was not accepted")
            return
        }
    }
}
