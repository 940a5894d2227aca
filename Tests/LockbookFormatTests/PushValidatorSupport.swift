import LockbookCrypto
import LockbookModel
import SecondImplementation

/// A tree of facts, by small numbers; 0 is the root.
struct Tree: FactsView {
    let owner: AccountID
    let device = DeviceID(random: .seeded(1))
    private(set) var files: [FileID: FileFacts] = [:]

    init(of owner: AccountID = AccountID(hash: Hash256(sha256: [1]))) {
        self.owner = owner
        add(folder(0, in: 0))
    }

    /// What most need: 0 ─ 1 ─ 2 ─ 3 (document), 0 ─ 4 (document), 0 ─ 5 (deleted) ─ 6 (document).
    static var small: Tree {
        var tree = Tree()
        tree.add(
            tree.folder(1, in: 0),
            tree.folder(2, in: 1),
            tree.document(3, in: 2),
            tree.document(4, in: 0),
            tree.folder(5, in: 0).deleted,
            tree.document(6, in: 5)
        )
        return tree
    }

    func id(_ number: Int) -> FileID {
        number == 0 ? FileID(rootOf: owner) : FileID(random: .seeded(UInt64(number)))
    }

    func tag(_ name: String) -> Hash256 { Hash256(sha256: Bytes(name.utf8)) }

    func folder(_ number: Int, in parent: Int, name: String? = nil) -> FileFacts {
        facts(number, in: parent, type: .folder, name: name)
    }

    func document(_ number: Int, in parent: Int, name: String? = nil) -> FileFacts {
        facts(number, in: parent, type: .document, name: name)
    }

    func facts(_ number: Int, in parent: Int, type: FileType, name: String? = nil) -> FileFacts {
        FileFacts(
            owner: owner,
            id: id(number),
            parent: id(parent),
            type: type,
            scope: id(0),
            epoch: 1,
            parentEpoch: files[id(parent)]?.epoch ?? 1,
            nameTag: tag(name ?? "\(number)"),
            isDeleted: false,
            blob: nil,
            author: owner,
            device: device
        )
    }

    mutating func add(_ facts: FileFacts...) {
        for facts in facts { files[facts.id] = facts }
    }

    func facts(_ id: FileID) -> FileFacts? { files[id] }

    func undeletedChild(of parent: FileID, tagged tag: Hash256) -> FileID? {
        files.values.first {
            $0.parent == parent && $0.nameTag == tag && !$0.isDeleted && $0.id != $0.parent
        }?.id
    }

    /// The first violation of a change, nil when it may be made.
    func violation(
        _ changes: [FileFacts],
        by author: AccountID? = nil,
        refusesDead: Bool = true,
        mayWrite: (FileFacts) -> Bool = { _ in true }
    ) throws -> Violation? {
        var validator = PushValidator(before: self, owner: owner, refusesDead: refusesDead)
        do {
            try validator.validate(changes, by: author ?? owner, mayWrite: mayWrite)
            return nil
        } catch let violation as Violation {
            return violation
        }
    }
}

extension FileFacts {
    func with(_ change: (inout FileFacts) -> Void) -> FileFacts {
        var facts = self
        change(&facts)
        return facts
    }

    var deleted: FileFacts { with { $0.isDeleted = true } }
}
