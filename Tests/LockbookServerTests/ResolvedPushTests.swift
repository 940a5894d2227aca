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
        var ada = try TestPerson("ada", seed: 1)
        try await ada.register(at: server)
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
}
