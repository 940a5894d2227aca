import LockbookCrypto

/// Who is let in and taken out, and that everybody who stays is left with what he needs for it.
extension ShareValidator {
    func validate(_ group: EntryGroup) throws {
        let file = group.scope
        guard group.isOfShares || (changed[file] != nil && file != root) else { return }
        let old = try before.facts(file)
        guard file != root, let facts = changed[file] ?? old, facts.scope == file,
            try !group.isOfShares || right(in: file) == .admin
        else { throw Violation.grant(file) }
        try validateLists(of: group)
        if group.isMoved { try validateMoved(group, old) }
        var holding: Set<AccountID> = []
        for grant in try before.grantees(of: file) { holding.insert(AccountID(grant.grantee)) }
        let isRotated = old.map { facts.epoch > $0.epoch } ?? false
        var wanted: Set<AccountID> = isRotated ? holding : []
        var named: Set<AccountID> = []
        for grant in group.grants {
            guard grant.file == file else {
                try validateTold(grant, in: file)
                continue
            }
            let grantee = AccountID(grant.grantee)
            guard named.insert(grantee).inserted else { throw Violation.grant(file) }
            try validate(grant)
            if grant.mode == .none {
                guard isRotated, holding.remove(grantee) != nil || isPartial else {
                    throw Violation.rotation(file)
                }
                wanted.remove(grantee)
            } else if holding.insert(grantee).inserted, !isPartial {
                // A member may be told of others who were there before him.
                wanted.insert(grantee)
                try requireWhole(group)
            }
        }
        // Whose way in is from above gets there with the key of the folder, which only who knows
        // that can seal it for.
        let above = try isRotated && author != owner ? outsiders(of: facts) : []
        var wrapped: Set<AccountID> = []
        for wrap in group.wraps {
            guard wrap.owner == owner, wrap.file == file, wrap.epoch == facts.epoch,
                holding.contains(wrap.grantee) || above.contains(wrap.grantee) || isPartial,
                // Who has the key gets no other one under its epoch: it might open nothing.
                wanted.union(above).contains(wrap.grantee) || group.isMoved || isPartial,
                wrapped.insert(wrap.grantee).inserted
            else { throw Violation.grant(file) }
        }
        guard isPartial || wanted.union(above).isSubset(of: wrapped) else {
            throw Violation.rotation(file)
        }
    }

    /// The owner and who holds a grant further out, where the author does not know the folder that
    /// the shared file stands in.
    private func outsiders(of facts: FileFacts) throws -> Set<AccountID> {
        if let folder = changed[facts.parent], try before.facts(folder.id)?.epoch != folder.epoch {
            return []
        }
        var found: Set<AccountID> = [owner]
        for scope in try scopes(around: facts.id).dropFirst() {
            for grant in try holders(of: scope) { found.insert(AccountID(grant.grantee)) }
        }
        found.remove(author)
        return found
    }

    /// The grants on a file that hold after the entry.
    func holders(of file: FileID) throws -> [Grant] {
        let new = (groups[file]?.grants ?? []).filter { $0.file == file }
        let renewed = Set(new.map { AccountID($0.grantee) })
        return try before.grantees(of: file).filter { !renewed.contains(AccountID($0.grantee)) }
            + new.filter { $0.mode > .none }
    }

    private func validate(_ grant: Grant) throws {
        let file = grant.file
        let grantee = AccountID(grant.grantee)
        guard grant.owner == owner, grantee != owner else { throw Violation.grant(file) }
        let old = try before.grant(of: file, to: grantee)
        if old?.bytes == grant.bytes { return }
        // Whoever is new, or is let in again, is told of the others in the words of who let them in.
        let isTelling = try isPartial && (old == nil || before.facts(file) == nil)
        guard grant.grantor == author || (isTelling && grant.grantor == owner),
            // Only the owner makes admins.
            grant.mode < .admin || grant.grantor == owner,
            grant.mayFollow(old)
        else { throw Violation.grant(file) }
        let signer = grant.grantor == owner ? ownerKey : key
        do { try grant.verify(by: signer) } catch { throw Violation.grant(file) }
    }

    /// A grant of a scope further out, of which those are told who see only this one.
    private func validateTold(_ grant: Grant, in scope: FileID) throws {
        let grantee = AccountID(grant.grantee)
        if isPartial, try before.facts(grant.file) == nil, changed[grant.file] == nil {
            let old = try before.grant(of: grant.file, to: grantee)
            guard grant.owner == owner, grantee != owner, old?.bytes != grant.bytes else { return }
            // Who else is an admin out there is not seen from here: the entry's author answers
            // for it, as for all of the entry.
            guard grant.mayFollow(old),
                // Not by way of a scope that nobody here can look at, either; of whom the owner made an
                // admin around this one he told himself who saw it.
                try grant.mode < .admin
                    || grant.grantor == owner
                        && (author == owner || before.facts(scope) == nil)
            else { throw Violation.grant(scope) }
            if grant.grantor == owner {
                do { try grant.verify(by: ownerKey) } catch { throw Violation.grant(scope) }
            } else if grant.grantor == author {
                do { try grant.verify(by: key) } catch { throw Violation.grant(scope) }
            }
            return
        }
        let isTrue =
            try holders(of: grant.file).contains { $0.bytes == grant.bytes }
            || groups[grant.file]?.grants.contains { $0.bytes == grant.bytes } ?? false
        // What is seen of where a scope came to has to say the same.
        let around =
            try told[scope] == nil
            ? scopes(around: scope) : before.seenScopes(around: scope, after: changed)
        guard isTrue, around.dropFirst().contains(grant.file) else { throw Violation.grant(scope) }
    }

    // MARK: What the others have to know

    private func validateLists(of group: EntryGroup) throws {
        let scope = group.scope
        for id in group.left {
            guard author == owner else { throw Violation.foreignAuthor(id) }
            guard !isPartial else { continue }
            let known = try before.facts(id)
            guard let facts = changed[id],
                try scope == (known?.scope == id ? before.enclosing(id) : known?.scope),
                try !scopes(around: facts.scope).contains(scope)
            else { throw Violation.scope(id) }
        }
        for id in group.inner {
            guard groups[id] != nil,
                try scopes(around: id).dropFirst().contains(scope)
            else { throw Violation.scope(id) }
        }
    }

    /// What a new member starts from: the whole of the scope is in the entry that lets him in, with
    /// the scopes inside of it, and who may write there from further out.
    func requireWhole(_ group: EntryGroup) throws {
        var pending = [group.scope]
        var seen: Set<FileID> = []
        while let id = pending.popLast() {
            guard let facts = changed[id], seen.insert(id).inserted else {
                throw Violation.rotation(id)
            }
            if facts.scope == id, id != group.scope, !group.inner.contains(id) {
                throw Violation.scope(id)
            }
            // In what is no folder nothing stands, and most of a scope is none.
            guard facts.type == .folder else { continue }
            // What goes elsewhere by the same entry is no part of it.
            pending += try before.undeletedChildren(of: id).filter {
                changed[$0].map { $0.parent == id } ?? true
            }
        }
        for outer in try scopes(around: group.scope).dropFirst() {
            for grant in try holders(of: outer) {
                guard group.grants.contains(where: { $0.bytes == grant.bytes }) else {
                    throw Violation.grant(group.scope)
                }
            }
        }
    }

    /// What changes for who may be in a scope is told in those inside of it, too.
    func requireTold() throws {
        let granted = groups.values.filter { group in
            group.grants.contains { $0.file == group.scope }
        }
        guard !granted.isEmpty else { return }
        let shared = Set(try before.sharedFiles()).union(granted.map(\.scope))
        for file in shared.sorted() where try !holders(of: file).isEmpty {
            let around = try scopes(around: file).dropFirst()
            for group in granted where around.contains(group.scope) {
                for grant in group.grants where grant.file == group.scope {
                    let isTold = groups[file]?.grants.contains { $0.bytes == grant.bytes }
                    guard isTold ?? false else { throw Violation.grant(file) }
                }
            }
        }
    }
}

extension EntryGroup {
    /// Whether it says more than which files changed or are gone.
    var isOfShares: Bool {
        !grants.isEmpty || !wraps.isEmpty || !left.isEmpty || !inner.isEmpty || isMoved
    }
}
