import LockbookModel
import Testing

/// What lies deleted in a folder and has not the folder's new key, or scope.
struct LeftBehindTests {
    @Test func `a reader goes on with it, and a server does not take it`() throws {
        let tree = Tree.small
        let folder = try #require(tree.facts(tree.id(1))).with { $0.epoch = 2 }
        let inner = try #require(tree.facts(tree.id(2))).with { $0.parentEpoch = 2 }
        let note = tree.document(9, in: 1)
        func violation(_ note: FileFacts, refusesDead: Bool = false) throws -> Violation? {
            try tree.violation([folder, inner, note], refusesDead: refusesDead)
        }
        #expect(try violation(note.deleted) == nil)
        #expect(try violation(note.deleted, refusesDead: true) == .epoch(note.id))
        // Nothing that lives, and nothing of a key that is still to come.
        #expect(try violation(note) == .epoch(note.id))
        #expect(try violation(note.deleted.with { $0.parentEpoch = 3 }) == .epoch(note.id))
        #expect(try violation(note.with { $0.parentEpoch = 2 }) == nil)
    }

    @Test func `nor does a reader end with one in the scope that the folder had`() throws {
        let tree = Tree.small
        let folder = try #require(tree.facts(tree.id(1))).with { $0.scope = tree.id(1) }
        let note = tree.document(9, in: 1)
        #expect(try tree.violation([folder, note.deleted], refusesDead: false) == nil)
        #expect(try tree.violation([folder, note.deleted]) == .scope(note.id))
        #expect(try tree.violation([folder, note], refusesDead: false) == .scope(note.id))
    }
}
