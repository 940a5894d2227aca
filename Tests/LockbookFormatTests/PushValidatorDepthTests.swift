import LockbookCrypto
import LockbookModel
import SecondImplementation
import Testing

/// Trees made to exhaust whoever looks at them.
struct PushValidatorDepthTests {
    private static let depth = 10_000
    /// How often files may be looked up, a file.
    private let lookups = 20

    private func chain(_ tree: Tree) -> [FileFacts] {
        (1...Self.depth).map { tree.folder($0, in: $0 - 1) }
    }

    @Test func `a push of ten thousand folders, each in the one before, takes no time`() throws {
        let chain = chain(Tree())
        for changes in [chain, chain.reversed()] {
            let tree = Lookup([])
            #expect(try tree.violation(changes) == nil)
            #expect(tree.lookups.count < lookups * Self.depth)
        }
    }

    @Test func `a note at the end of ten thousand folders takes one walk`() throws {
        let tree = Lookup(chain(Tree()))
        let notes = (0..<1_000).map { tree.base.document(Self.depth + 1 + $0, in: Self.depth) }
        #expect(try tree.violation(notes) == nil)
        #expect(tree.lookups.count < lookups * Self.depth)
    }

    @Test func `a cycle of ten thousand folders is found`() throws {
        let tree = Lookup(chain(Tree()))
        let top = tree.base.folder(1, in: Self.depth)
        guard case .cycle = try tree.violation([top]) else {
            Issue.record("not a cycle")
            return
        }
        // All of them at once, in a ring of their own.
        let ring = (1...Self.depth).map { number in
            tree.base.folder(number, in: number == 1 ? Self.depth : number - 1)
        }
        guard case .cycle = try tree.violation(ring) else {
            Issue.record("not a cycle")
            return
        }
        #expect(tree.lookups.count < lookups * Self.depth)
    }

    @Test func `a deep tree whose top dies takes its children along`() throws {
        let tree = Lookup(chain(Tree()))
        let note = tree.base.document(Self.depth + 1, in: Self.depth)
        let dead = tree.base.folder(1, in: 0).deleted
        #expect(try tree.violation([dead, note]) == .belowDead(note.id))
        #expect(try tree.violation([dead, note.deleted]) == nil)
    }

    @Test func `ten thousand siblings are checked one by one`() throws {
        let tree = Lookup([])
        var notes = (1...10_000).map { tree.base.document($0, in: 0) }
        #expect(try tree.violation(notes) == nil)
        notes.append(tree.base.document(20_000, in: 0, name: "7"))
        #expect(
            try tree.violation(notes)
                == .pathConflict(tree.base.id(20_000), with: tree.base.id(7))
        )
        #expect(tree.lookups.count < lookups * Self.depth)
    }

    /// Random changes of random trees: what is accepted is a tree, whatever was tried.
    @Test func `what is accepted leaves a tree`() throws {
        var generator = SeededGenerator(11)
        var accepted = 0
        for _ in 0..<1_000 {
            var tree = Tree()
            for number in 1...6 {
                let parent = Int.random(in: 0..<number, using: &generator)
                guard tree.facts(tree.id(parent))?.type == .folder else { continue }
                let type: FileType =
                    Int.random(in: 0..<4, using: &generator) == 0
                    ? .document : .folder
                let facts = tree.facts(number, in: parent, type: type)
                if try tree.violation([facts]) == nil { tree.add(facts) }
            }
            let changes = (0..<3).map { _ in
                let number = Int.random(in: 0...7, using: &generator)
                let parent = Int.random(in: 0...7, using: &generator)
                var facts = tree.facts(
                    number,
                    in: parent,
                    type: .folder,
                    name: "\(Int.random(in: 1...4, using: &generator))"
                )
                facts.isDeleted = Bool.random(using: &generator)
                if let old = tree.facts(tree.id(number)) { facts.type = old.type }
                return facts
            }
            guard try tree.violation(changes) == nil else { continue }
            accepted += 1
            for facts in changes { tree.add(facts) }
            #expect(isTree(tree))
        }
        #expect(accepted > 30)
    }

    private func isTree(_ tree: Tree) -> Bool {
        var names: Set<[String]> = []
        for file in tree.files.values {
            if file.id == tree.id(0) {
                guard file.parent == file.id, !file.isDeleted else { return false }
                continue
            }
            guard tree.facts(file.parent)?.type == .folder else { return false }
            if !file.isDeleted,
                !names.insert(["\(file.parent)", "\(file.nameTag)"]).inserted
            {
                return false
            }
            var id = file.parent
            var steps = 0
            while id != tree.id(0) {
                steps += 1
                guard steps < 20, let above = tree.facts(id) else { return false }
                id = above.parent
            }
        }
        return true
    }
}

/// A tree whose siblings are found without a search.
private struct Lookup: FactsView {
    final class Lookups {
        var count = 0
    }

    let base: Tree
    let lookups = Lookups()
    private var files: [FileID: FileFacts] = [:]

    init(_ files: [FileFacts]) {
        base = Tree()
        for file in base.files.values { self.files[file.id] = file }
        for file in files { self.files[file.id] = file }
    }

    func facts(_ id: FileID) -> FileFacts? {
        lookups.count += 1
        return files[id]
    }

    func undeletedChild(of parent: FileID, tagged tag: Hash256) -> FileID? {
        lookups.count += 1
        return nil
    }

    func violation(_ changes: [FileFacts]) throws -> Violation? {
        var validator = PushValidator(before: self, owner: base.owner)
        do {
            try validator.validate(changes, by: base.owner) { _ in true }
            return nil
        } catch let violation as Violation {
            return violation
        }
    }
}
