import LockbookCrypto
import LockbookModel
import Testing

/// What may be purged, and what has to go with it.
struct PushValidatorPurgeTests {
    private let tree = Tree.small

    private func violation(
        _ changes: [FileFacts] = [],
        purging purged: [Int],
        refusesDead: Bool = true,
        mayWrite: (FileFacts) -> Bool = { _ in true }
    ) throws -> Violation? {
        var validator = PushValidator(before: tree, owner: tree.owner, refusesDead: refusesDead)
        do {
            try validator.validate(
                changes,
                purging: Set(purged.map(tree.id)),
                by: tree.owner,
                mayWrite: mayWrite
            )
            return nil
        } catch let violation as Violation {
            return violation
        }
    }

    @Test func `a folder goes with all that is in it or not at all`() throws {
        #expect(try violation(purging: [1, 2, 3]) == nil)
        #expect(try violation(purging: [5, 6]) == nil)
        #expect(try violation(purging: [3, 4]) == nil)
        #expect(try violation(purging: [5]) == .orphan(tree.id(6)))
        #expect(try violation(purging: [1, 2]) == .orphan(tree.id(3)))
        #expect(try violation(purging: [1]) == .orphan(tree.id(2)))
    }

    @Test func `what moves out in the same entry is not lost`() throws {
        let out = tree.document(3, in: 0)
        #expect(try violation([out], purging: [1, 2]) == nil)
        #expect(try violation([tree.document(3, in: 1)], purging: [2]) == nil)
        #expect(try violation([tree.document(3, in: 1)], purging: [1, 2]) == .orphan(tree.id(3)))
        // Nothing may come into a folder that goes.
        #expect(
            try violation([tree.document(9, in: 2)], purging: [1, 2, 3]) == .orphan(tree.id(9))
        )
    }

    @Test func `the name of what goes is free`() throws {
        let other = tree.document(9, in: 0, name: "4")
        #expect(try tree.violation([other]) == .pathConflict(tree.id(9), with: tree.id(4)))
        #expect(try violation([other], purging: [4]) == nil)
    }

    @Test func `the root, what is not there and what one may not write stays`() throws {
        #expect(try violation(purging: [0]) == .root(tree.id(0)))
        #expect(try violation(purging: [9]) == .orphan(tree.id(9)))
        // Whoever looks at several entries at once may have missed its life.
        #expect(try violation(purging: [9], refusesDead: false) == nil)
        let mine = tree.id(4)
        #expect(try violation(purging: [4]) { $0.id != mine } == .foreignAuthor(mine))
        #expect(try violation(purging: [3]) { $0.id != mine } == nil)
    }

    @Test func `whoever purges is asked about as the author of what goes`() throws {
        let other = AccountID(hash: Hash256(sha256: [2]))
        for (author, wanted) in [(other, other), (nil, tree.owner)] as [(AccountID?, AccountID)] {
            var asked: [AccountID] = []
            var validator = PushValidator(before: tree, owner: tree.owner, refusesDead: true)
            try validator.validate([], purging: [tree.id(4)], by: author) { facts in
                asked.append(facts.author)
                return true
            }
            #expect(asked == [wanted])
        }
    }
}

extension Tree: PurgeView {
    func children(of folder: FileID) -> [FileID] {
        files.values.filter { $0.parent == folder && $0.id != folder }.map(\.id).sorted()
    }
}
