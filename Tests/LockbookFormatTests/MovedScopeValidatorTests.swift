import LockbookCrypto
import LockbookModel
import SecondImplementation
import Testing

/// What a reader takes of scopes that come into another one, or out of it, by how much he sees.
struct MovedScopeValidatorTests {
    private let owner: AccountKeys
    private let member: AccountKeys
    private let other: AccountKeys
    private var tree: Tree
    private var shares: Shares

    /// The root has the folders 1 and 2, each a scope, and 3; 2 has the folder 4, a scope, and note 5.
    init() throws {
        (owner, member, other) = (try Self.keys(1), try Self.keys(2), try Self.keys(3))
        var tree = Tree(of: AccountID(owner.publicKeys))
        let folders = [1, 2, 3].map { tree.folder($0, in: 0) }
        for folder in folders { tree.add(folder) }
        tree.add(tree.folder(4, in: 2))
        tree.add(tree.document(5, in: 2))
        for (file, scope) in [(1, 1), (2, 2), (4, 4), (5, 2)] {
            let facts = try #require(tree.facts(tree.id(file)))
            let id = tree.id(scope)
            tree.add(facts.with { $0.scope = id })
        }
        self.tree = tree
        shares = Shares(tree: tree)
        for (file, keys) in [(1, member), (2, other), (4, other)] {
            try shares.grant(tree.id(file), to: keys, .admin, by: owner)
        }
    }

    private static func keys(_ number: UInt8) throws -> AccountKeys {
        try AccountKeys(seed: #require(AccountSeed(Bytes(repeating: number, count: 32))))
    }

    private func id(_ number: Int) -> FileID { tree.id(number) }

    /// Folder 2 comes into another one with all that is in it, by an entry that says so.
    private func entry(to folder: Int, by author: AccountKeys? = nil) throws -> Entry {
        let author = AccountID((author ?? owner).publicKeys)
        func moved(_ number: Int, _ change: (inout FileFacts) -> Void = { _ in }) throws
            -> FileFacts
        {
            try #require(shares.facts(id(number))).with {
                $0.epoch += 1
                $0.author = author
                if number != 2 { $0.parentEpoch += 1 }
                change(&$0)
            }
        }
        let outer = folder == 1 ? shares.grants(of: id(1)) : []
        let own = shares.grants(of: id(2))
        let epoch = try moved(2).epoch
        func wrap(_ file: Int) throws -> GranteeWrap {
            try GranteeWrap(
                FileKey(random: .seeded(9)),
                owner: AccountID(owner.publicKeys),
                file: id(file),
                epoch: epoch,
                grantee: other.publicKeys
            )
        }
        return Entry(
            facts: [try moved(2) { $0.parent = id(folder) }, try moved(4), try moved(5)],
            groups: [
                EntryGroup(
                    scope: id(2),
                    records: [],
                    grants: own + outer,
                    wraps: [try wrap(2)],
                    inner: [id(4)],
                    isMoved: true
                ),
                EntryGroup(
                    scope: id(4),
                    records: [],
                    grants: shares.grants(of: id(4)) + own + outer,
                    wraps: [try wrap(4)],
                    isMoved: true
                ),
            ] + (folder == 1 ? [EntryGroup(scope: id(1), records: [], inner: [id(2), id(4)])] : [])
        )
    }

    private func violation(
        _ entry: Entry,
        by author: AccountKeys? = nil,
        seeing scopes: [Int]? = nil
    ) throws -> Violation? {
        let author = author ?? owner
        var view = shares
        var entry = entry
        if let scopes {
            let seen = Set(scopes.map(id))
            view.hideAll(but: seen)
            let after = Set(entry.groups.map(\.scope)).intersection(entry.shown ?? seen)
            entry.groups = entry.groups.filter { after.contains($0.scope) }
            entry.facts = entry.facts.filter { after.contains($0.scope) }
        }
        var validator = ShareValidator(
            before: view,
            owner: AccountID(owner.publicKeys),
            ownerKey: owner.signing.publicKey,
            isPartial: scopes != nil
        )
        do {
            try validator.validate(
                entry.facts,
                entry.groups,
                by: AccountID(author.publicKeys),
                key: author.signing.publicKey
            )
            return nil
        } catch let violation as Violation {
            return violation
        }
    }

    @Test func `everybody takes a scope that its owner brings into another one`() throws {
        var entry = try entry(to: 1)
        #expect(try violation(entry) == nil)
        // Who sees it, its inner one, and from this entry on all of it.
        #expect(try violation(entry, seeing: [2, 4]) == nil)
        #expect(try violation(entry, seeing: [4]) == nil)
        entry.shown = [id(1), id(2), id(4)]
        #expect(try violation(entry, seeing: [1]) == nil)
        #expect(try violation(entry, seeing: [1, 2, 4]) == nil)
    }

    @Test(arguments: [nil, [1, 2, 4], [2, 4]] as [[Int]?])
    func `nobody takes that of anybody else`(scopes: [Int]?) throws {
        for author in [member, other] {
            let entry = try entry(to: 1, by: author)
            #expect(try violation(entry, by: author, seeing: scopes) != nil)
            // Nor one that stays where it is.
            let still = Entry(
                facts: [],
                groups: [EntryGroup(scope: id(2), records: [], isMoved: true)]
            )
            #expect(try violation(still, by: author, seeing: scopes) != nil)
        }
        let still = Entry(facts: [], groups: [EntryGroup(scope: id(2), records: [], isMoved: true)])
        #expect(try violation(still, seeing: scopes) != nil)
    }

    @Test func `a scope that moves unsaid is seen by who sees where it was or is`() throws {
        for scopes in [nil, [1, 2, 4]] as [[Int]?] {
            var entry = try entry(to: 1)
            for index in entry.groups.indices { entry.groups[index].isMoved = false }
            #expect(try violation(entry, seeing: scopes) == .scope(id(2)))
            entry = try self.entry(to: 1)
            entry.groups[1].isMoved = false
            #expect(try violation(entry, seeing: scopes) == .scope(id(4)))
            // With its old keys.
            entry = try self.entry(to: 1)
            entry.facts[0].epoch = 1
            #expect(try violation(entry, seeing: scopes) != nil)
        }
    }

    @Test mutating func `who sees what it leaves takes only what that says`() throws {
        let into = try entry(to: 1)
        shares.take(into)
        var out = try entry(to: 3)
        #expect(try violation(out) == .scope(id(2)))
        out.groups.append(EntryGroup(scope: id(1), records: [], left: [id(2)]))
        #expect(try violation(out) == nil)
        #expect(try violation(out, seeing: [1, 2, 4]) == nil)
        // As if the grants on what it left did still hold there.
        let told = shares.grants(of: id(1))
        var lie = out
        lie.groups[0].grants += told
        #expect(try violation(lie) == .grant(id(2)))
        #expect(try violation(lie, seeing: [1, 2, 4]) == .grant(id(2)))
        // As if it was not its business any more.
        lie = out
        lie.groups[2].left = [id(2), id(4)]
        #expect(try violation(lie) == .scope(id(4)))
    }

    @Test mutating func `a folder with a new key takes along what was deleted in it`() throws {
        let (scope, author) = (id(2), AccountID(other.publicKeys))
        let folder = tree.folder(6, in: 2).with { ($0.scope, $0.author) = (scope, author) }
        let note = tree.document(7, in: 6).deleted.with { ($0.scope, $0.author) = (scope, author) }
        shares.take(Entry(facts: [folder, note], groups: []))
        func entry(_ facts: [FileFacts]) -> Entry {
            Entry(facts: facts, groups: [EntryGroup(scope: scope, records: [])])
        }
        let rotated = folder.with { $0.epoch = 2 }
        let along = note.with { ($0.epoch, $0.parentEpoch) = (2, 2) }
        #expect(try violation(entry([rotated]), by: other) == .rotation(note.id))
        let still = along.with { $0.epoch = 1 }
        #expect(try violation(entry([rotated, still]), by: other) == .rotation(note.id))
        #expect(try violation(entry([rotated, along]), by: other) == nil)
        // A reader does not end with what a server took before it looked at that.
        #expect(try violation(entry([rotated]), by: other, seeing: [2, 4]) == nil)
    }
}

private struct Entry {
    var facts: [FileFacts]
    var groups: [EntryGroup]
    /// Of what is seen after it, where that is more than before.
    var shown: Set<FileID>?
}

/// A tree of which some is shared.
private struct Shares: ShareView {
    var tree: Tree
    private var held: [FileID: [Grant]] = [:]
    private var seen: Set<FileID>?

    init(tree: Tree) { self.tree = tree }

    mutating func grant(
        _ file: FileID,
        to keys: AccountKeys,
        _ mode: ShareMode,
        by owner: AccountKeys
    ) throws {
        held[file, default: []].append(
            try Grant(
                owner: AccountID(owner.publicKeys),
                file: file,
                grantee: keys.publicKeys,
                named: try #require(Username("somebody")),
                mode: mode,
                grantor: AccountID(owner.publicKeys),
                serial: 1,
                created: Timestamp(milliseconds: 1),
                signedBy: owner.signing
            )
        )
    }

    mutating func hideAll(but scopes: Set<FileID>) { seen = scopes }

    mutating func take(_ entry: Entry) { for facts in entry.facts { tree.add(facts) } }

    func facts(_ id: FileID) -> FileFacts? {
        guard let facts = tree.facts(id) else { return nil }
        return seen.map { $0.contains(facts.scope) } ?? true ? facts : nil
    }

    func undeletedChild(of parent: FileID, tagged tag: Hash256) -> FileID? {
        tree.undeletedChild(of: parent, tagged: tag)
    }

    func children(of folder: FileID) -> [FileID] { files(in: folder).map(\.id) }

    func undeletedChildren(of folder: FileID) -> [FileID] {
        files(in: folder).filter { !$0.isDeleted }.map(\.id)
    }

    private func files(in folder: FileID) -> [FileFacts] {
        // The server looks each of them up, and most of a scope are documents.
        #expect(tree.facts(folder)?.type == .folder, "what stands in a document is looked for")
        guard seen == nil else { return [] }
        return tree.files.values.filter { $0.parent == folder && $0.id != folder }
    }

    func grants(of file: FileID) -> [Grant] { held[file] ?? [] }

    func grant(of file: FileID, to account: AccountID) -> Grant? {
        grants(of: file).first { AccountID($0.grantee) == account }
    }

    func sharedFiles() -> [FileID] { held.keys.sorted() }
}
