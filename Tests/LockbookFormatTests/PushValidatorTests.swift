import LockbookCrypto
import LockbookModel
import SecondImplementation
import Testing

/// Every violation, beside the change nearest to it that is none.
struct PushValidatorTests {
    private var tree = Tree.small

    private func file(_ number: Int) throws -> FileFacts {
        try #require(tree.facts(tree.id(number)))
    }

    private func move(_ number: Int, to parent: Int, name: String? = nil) throws -> FileFacts {
        try file(number).with {
            $0.parent = tree.id(parent)
            if let name { $0.nameTag = tree.tag(name) }
        }
    }

    @Test func `the root is one, a folder, live, and keeps its name`() throws {
        let root = try file(0)
        let refused = [
            root.deleted, root.with { $0.nameTag = tree.tag("x") },
            root.with { $0.parent = tree.id(1) },
            root.with {
                $0.epoch = 2
                $0.nameTag = tree.tag("x")
            },
            root.with {
                $0.epoch = 2
                $0.scope = tree.id(1)
            },
        ]
        for facts in refused { #expect(try tree.violation([facts]) == .root(root.id)) }
        #expect(try tree.violation([root]) == nil)
        #expect(try tree.violation([root.with { $0.epoch = 2 }]) == nil)
        // A second one.
        #expect(try tree.violation([tree.folder(9, in: 9)]) == .root(tree.id(9)))
        #expect(try tree.violation([try move(1, to: 1)]) == .root(tree.id(1)))
        // The first entry's.
        let empty = Empty()
        var validator = PushValidator(before: empty, owner: tree.owner)
        #expect(throws: Never.self) {
            try validator.validate([root], by: tree.owner) { _ in true }
        }
        var other = PushValidator(before: empty, owner: tree.owner)
        #expect(throws: Violation.root(root.id)) {
            try other.validate([root.with { $0.type = .document }], by: tree.owner) { _ in true }
        }
    }

    @Test mutating func `two live siblings have two names`() throws {
        #expect(
            try tree.violation([tree.document(9, in: 0, name: "4")])
                == .pathConflict(tree.id(9), with: tree.id(4))
        )
        #expect(
            try tree.violation([
                tree.document(8, in: 0, name: "x"), tree.document(9, in: 0, name: "x"),
            ]) == .pathConflict(tree.id(9), with: tree.id(8))
        )
        #expect(
            try tree.violation([try move(3, to: 0, name: "4")])
                == .pathConflict(tree.id(3), with: tree.id(4))
        )
        let twice = try file(4)
        #expect(try tree.violation([twice, twice]) == .pathConflict(twice.id, with: twice.id))
        // In another folder, after a deletion, or beside something deleted there is no conflict.
        #expect(try tree.violation([tree.document(9, in: 1, name: "4")]) == nil)
        #expect(try tree.violation([tree.document(9, in: 0, name: "5")]) == nil)
        #expect(
            try tree.violation([try file(4).deleted, tree.document(9, in: 0, name: "4")]) == nil
        )
        #expect(try tree.violation([tree.document(9, in: 0, name: "4").deleted]) == nil)
        // Two that change their names.
        let swapped = [
            try file(4).with { $0.nameTag = tree.tag("1") },
            try file(1).with { $0.nameTag = tree.tag("4") },
        ]
        #expect(try tree.violation(swapped) == nil)
        #expect(
            try tree.violation([swapped[0]]) == .pathConflict(tree.id(4), with: tree.id(1))
        )
        // Back from the trash into a name that is taken.
        tree.add(tree.document(7, in: 0, name: "4").deleted)
        #expect(
            try tree.violation([tree.document(7, in: 0, name: "4")])
                == .pathConflict(tree.id(7), with: tree.id(4))
        )
        #expect(try tree.violation([tree.document(7, in: 0, name: "4-1")]) == nil)
    }

    @Test mutating func `nothing is below itself`() throws {
        func isCycle(_ changes: [FileFacts]) throws -> Bool {
            if case .cycle = try tree.violation(changes) { true } else { false }
        }
        #expect(try isCycle([try move(1, to: 2)]))
        tree.add(tree.folder(10, in: 0), tree.folder(11, in: 0), tree.folder(12, in: 0))
        // Each move alone may be made, not both.
        #expect(try tree.violation([try move(10, to: 11)]) == nil)
        #expect(try isCycle([try move(10, to: 11), try move(11, to: 10)]))
        #expect(
            try isCycle([try move(10, to: 11), try move(11, to: 12), try move(12, to: 10)])
        )
        // Nor may it be when it is deleted, or new.
        #expect(try isCycle([try move(1, to: 2).deleted]))
        #expect(try isCycle([tree.folder(20, in: 21), tree.folder(21, in: 20)]))
        // Child and parent may change places.
        #expect(try tree.violation([try move(2, to: 0), try move(1, to: 2)]) == nil)
    }

    @Test mutating func `every file has a folder above it`() throws {
        #expect(try tree.violation([tree.document(9, in: 77)]) == .orphan(tree.id(9)))
        #expect(try tree.violation([try move(4, to: 77)]) == .orphan(tree.id(4)))
        #expect(try tree.violation([tree.document(9, in: 4)]) == .childOfNonFolder(tree.id(9)))
        tree.add(tree.facts(30, in: 0, type: .link))
        #expect(try tree.violation([tree.document(9, in: 30)]) == .childOfNonFolder(tree.id(9)))
        // Parents may come with their children, in any order.
        #expect(
            try tree.violation([
                tree.document(42, in: 41), tree.folder(41, in: 40), tree.folder(40, in: 0),
            ]) == nil
        )
    }

    @Test func `a file stays what it is`() throws {
        for type in FileType.allCases {
            for (number, old) in [(1, FileType.folder), (4, .document)] where type != old {
                #expect(
                    try tree.violation([try file(number).with { $0.type = type }])
                        == .typeChanged(tree.id(number))
                )
            }
        }
        #expect(try tree.violation([try file(4).with { $0.nameTag = tree.tag("x") }]) == nil)
    }

    @Test mutating func `below what is dead only the dead arrive`() throws {
        #expect(try tree.violation([tree.document(9, in: 5)]) == .belowDead(tree.id(9)))
        #expect(try tree.violation([try move(4, to: 5)]) == .belowDead(tree.id(4)))
        #expect(
            try tree.violation([try file(6).with { $0.nameTag = tree.tag("x") }])
                == .belowDead(tree.id(6))
        )
        #expect(try tree.violation([tree.document(9, in: 5).deleted]) == nil)
        // With a new key, or in another scope, it is what it was; with other bytes it is not.
        let anew = try file(6).with { $0.epoch += 1 }
        #expect(try tree.violation([anew]) == nil)
        let blob = BlobReference(name: BlobName(of: [1]), size: 1)
        #expect(try tree.violation([anew.with { $0.blob = blob }]) == .belowDead(tree.id(6)))
        // Deeper down, and in the push that deletes.
        tree.add(tree.folder(50, in: 5), tree.folder(51, in: 50))
        #expect(try tree.violation([tree.document(9, in: 51)]) == .belowDead(tree.id(9)))
        #expect(
            try tree.violation([try file(1).deleted, tree.document(9, in: 2)])
                == .belowDead(tree.id(9))
        )
        // Restored, or moved out, it is live again.
        let restored = try file(5).with { $0.isDeleted = false }
        #expect(try tree.violation([restored, tree.document(9, in: 51)]) == nil)
        #expect(try tree.violation([try move(6, to: 0)]) == nil)
        #expect(try tree.violation([try move(51, to: 0), tree.document(9, in: 51)]) == nil)
        // Who reads several entries at once cannot tell when the folder died.
        #expect(try tree.violation([tree.document(9, in: 5)], refusesDead: false) == nil)
    }

    @Test func `only who may write, under the own name, in the own tree`() throws {
        let other = AccountID(hash: Hash256(sha256: [2]))
        let new = tree.document(9, in: 0)
        #expect(try tree.violation([new.with { $0.author = other }]) == .foreignAuthor(new.id))
        #expect(try tree.violation([new], by: other) == .foreignAuthor(new.id))
        #expect(
            try tree.violation([new], mayWrite: { $0.id != new.id }) == .foreignAuthor(new.id)
        )
        #expect(try tree.violation([new.with { $0.owner = other }]) == .foreignOwner(new.id))
        #expect(try tree.violation([new.with { $0.author = other }], by: other) == nil)
        #expect(try tree.violation([new]) == nil)
    }

    @Test mutating func `epochs rise by one, and children are wrapped under the newest`() throws {
        let four = try file(4)
        for epoch in [3, 4, .max] as [UInt32] {
            #expect(try tree.violation([four.with { $0.epoch = epoch }]) == .epoch(four.id))
        }
        #expect(try tree.violation([four.with { $0.epoch = 2 }]) == nil)
        #expect(
            try tree.violation([tree.document(9, in: 0).with { $0.epoch = 2 }])
                == .epoch(tree.id(9))
        )
        #expect(
            try tree.violation([tree.document(9, in: 0).with { $0.parentEpoch = 2 }])
                == .epoch(tree.id(9))
        )
        // A folder that rotates takes what comes with it along.
        let one = try file(1).with { $0.epoch = 2 }
        let two = try file(2)
        #expect(try tree.violation([one, two]) == .epoch(two.id))
        #expect(try tree.violation([one, two.with { $0.parentEpoch = 2 }]) == nil)
        // No going back, and no trap at the last one.
        tree.add(four.with { $0.epoch = .max })
        for epoch in [1, 5, .max - 1] as [UInt32] {
            #expect(try tree.violation([four.with { $0.epoch = epoch }]) == .epoch(four.id))
        }
        #expect(try tree.violation([four.with { $0.epoch = .max }]) == nil)
    }

    @Test mutating func `who reads several entries at once sees epochs rise by more than one`()
        throws
    {
        let four = try file(4).with { $0.epoch = 3 }
        tree.add(four)
        for (epoch, isFine) in [(2, false), (3, true), (4, true), (9, true)] as [(UInt32, Bool)] {
            #expect(
                try tree.violation([four.with { $0.epoch = epoch }], refusesDead: false)
                    == (isFine ? nil : .epoch(four.id))
            )
        }
    }

    @Test func `of what a member sees nothing above, only its own place is not looked at`() throws {
        var tree = tree
        let (shared, inside) = (tree.folder(60, in: 77), tree.document(61, in: 60))
        func violation(_ changes: [FileFacts], seenFrom: Set<FileID> = []) throws -> Violation? {
            var validator = PushValidator(
                before: tree,
                owner: tree.owner,
                tops: [shared.id],
                seenFrom: seenFrom
            )
            do {
                try validator.validate(changes, by: tree.owner) { _ in true }
                return nil
            } catch let violation as Violation {
                return violation
            }
        }
        let top = shared.with { $0.scope = shared.id }
        let child = inside.with { $0.scope = shared.id }
        #expect(try violation([top, child]) == nil)
        #expect(try violation([shared]) == .scope(shared.id))
        // It comes into sight in any epoch.
        #expect(
            try violation([top.with { $0.epoch = 4 }, child.with { $0.parentEpoch = 4 }]) == nil
        )
        #expect(try violation([top, child, tree.document(62, in: 78)]) == .orphan(tree.id(62)))
        #expect(try violation([top, child.deleted]) == nil)
        // What he saw nothing of before may have been there when the share died.
        #expect(try violation([top.deleted, child]) == nil)
        tree.add(top, child)
        let renamed = child.with { $0.nameTag = tree.tag("other") }
        #expect(try violation([top.deleted, renamed]) == .belowDead(child.id))
    }

    @Test func `what is deleted around a share keeps none of its members from writing`() throws {
        let other = AccountID(hash: Hash256(sha256: [2]))
        // 5 is deleted and 6 in it is shared.
        var world = tree
        let six = try file(6).with {
            $0.scope = tree.id(6)
            $0.type = .folder
        }
        world.add(six)
        let note = world.document(9, in: 6).with {
            $0.scope = six.id
            $0.author = other
        }
        func violation(seenFrom: Set<FileID>) throws -> Violation? {
            var validator = PushValidator(before: world, owner: tree.owner, seenFrom: seenFrom)
            do {
                try validator.validate([note], by: other) { _ in true }
                return nil
            } catch let violation as Violation {
                return violation
            }
        }
        #expect(try violation(seenFrom: [six.id]) == nil)
        #expect(try violation(seenFrom: []) == .belowDead(note.id))
        // When the share itself is deleted they see it.
        world.add(six.deleted)
        #expect(try violation(seenFrom: [six.id]) == .belowDead(note.id))
    }

    @Test func `a file is in its folder's scope, or begins its own`() throws {
        let four = try file(4)
        #expect(try tree.violation([four.with { $0.scope = tree.id(1) }]) == .scope(four.id))
        #expect(try tree.violation([four.with { $0.scope = four.id }]) == nil)
        let shared = try file(1).with { $0.scope = tree.id(1) }
        let two = try file(2)
        #expect(try tree.violation([shared, two]) == .scope(two.id))
        #expect(try tree.violation([shared, two.with { $0.scope = tree.id(1) }]) == nil)
    }
}

private struct Empty: FactsView {
    func facts(_ id: FileID) -> FileFacts? { nil }
    func undeletedChild(of parent: FileID, tagged tag: Hash256) -> FileID? { nil }
}
