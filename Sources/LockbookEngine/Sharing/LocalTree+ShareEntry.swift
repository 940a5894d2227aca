import FoundationEssentials
import GRDB
import LockbookCrypto
import LockbookModel

/// An entry about shares, from what it changes to what is sent.
extension LocalTree {
    /// With what the members of this scope and of those inside of it have to be told besides, and
    /// with new keys for everybody who stays.
    func completed(_ entry: ShareEntry) throws -> ShareEntry {
        var entry = entry
        let view = PageView(tree: self)
        var facts = entry.sealed.facts
        // It is around every shared file, and the same for all.
        facts[root] = try facts[root] ?? view.facts(root)
        func around(_ scope: FileID) throws -> [FileID] {
            Array(try view.scopes(around: scope, after: facts).dropFirst())
        }
        var inner = Set(entry.sealed.keys.keys)
        for file in try view.sharedFiles() where try around(file).contains(entry.file) {
            inner.insert(file)
        }
        inner.remove(entry.file)
        if entry.isNew {
            // Who is let in learns from this entry who else is there.
            for scope in inner.union([entry.file]) {
                let changed = Set((entry.own[scope] ?? []).map { AccountID($0.grantee) })
                for grant in try view.grantees(of: scope)
                where !changed.contains(AccountID(grant.grantee)) {
                    entry.own[scope, default: []].append(try retold(grant))
                }
            }
            for outer in try around(entry.file) {
                entry.told[entry.file, default: []] += try view.grantees(of: outer)
            }
            entry.inner = inner.intersection(entry.sealed.keys.keys)
        }
        for file in inner where try !view.grantees(of: file).isEmpty {
            let outer = try around(file)
            for (scope, grants) in entry.own where outer.contains(scope) {
                entry.told[file, default: []] += grants
            }
        }
        guard entry.sealed.isRotated else { return entry }
        for scope in entry.sealed.keys.keys {
            let gone = Set(
                (entry.own[scope] ?? []).filter { $0.mode == .none }.map { AccountID($0.grantee) }
            )
            entry.wrapped[scope] = try view.grantees(of: scope).map(\.grantee).filter {
                !gone.contains(AccountID($0))
            }
        }
        entry.wrapped[entry.file, default: []] += try outsiders(of: entry)
        return entry
    }

    /// Who comes to the shared file from above, where this account does not know the folder that it
    /// stands in: the owner, and who holds a grant further out.
    private func outsiders(of entry: ShareEntry) throws -> [AccountPublicKeys] {
        guard isForeign, let known = try contact(owner) else { return [] }
        let view = PageView(tree: self)
        var found = [AccountID(known.keys): known.keys]
        for scope in try view.scopes(around: entry.file, after: entry.sealed.facts).dropFirst() {
            for grant in try view.grantees(of: scope) {
                found[AccountID(grant.grantee)] = grant.grantee
            }
        }
        for keys in entry.wrapped[entry.file] ?? [] { found[AccountID(keys)] = nil }
        found[author] = nil
        return found.sorted { $0.key < $1.key }.map(\.value)
    }

    /// A grant as it can be told to somebody who knows nothing of who made it.
    func retold(_ old: Grant) throws -> Grant {
        guard old.grantor != owner, old.grantor != author else { return old }
        return try grant(
            old.file,
            to: old.grantee,
            named: granteeName(in: old),
            old.mode,
            after: old
        )
    }

    func sign(_ entry: ShareEntry) throws -> SharePlan {
        let groups = try entry.groups(of: owner)
        let most = EntryGroup.maximumGrantCount
        if let row = try row(entry.file),
            groups.contains(where: { max($0.grants.count, $0.wraps.count) > most })
        {
            throw crowded(row)
        }
        try makePending(groups, after: try shownEnd(), isShared: true)
        let records = entry.sealed.records
        try keepPushed(records)
        guard let pending = try pending() else {
            throw LockbookError.store(reason: "the entry to push is missing")
        }
        let items = zip(records, entry.sealed.hashes).map { PushPlan.Item($0, hash: $1) }
        return SharePlan(
            push: PushPlan(entry: pending, items: items),
            file: entry.file,
            sealed: try entry.sealed.rows.map {
                SealedState(rows: $0, records: records, mark: try mark())
            },
            isOverruling: entry.sealed.isOverruling
        )
    }

    /// Keeps the records of the entry that waits to be sent, of which no row is yet.
    func keepPushed(_ records: [FileRecord]) throws {
        let keep = try db.cachedStatement(
            sql: "INSERT OR REPLACE INTO pushed (file, record) VALUES (?, ?)"
        )
        // Their places are sorted, not they: a record is much to move about.
        let files = records.map { $0.facts.id }
        for place in files.indices.sorted(by: { files[$0] < files[$1] }) {
            try keep.run(files[place].bytes.data, records[place].bytes.data)
        }
    }
}
