package import LockbookCrypto

/// Checks what one entry does against who may do it, and that no share is left half done.
///
/// Client and server run this same code, beside `PushValidator`, which knows trees and not people.
/// The owner and who has `admin` grant and take back. A member with `write` makes, changes, moves
/// and deletes inside of his scopes, and never touches name, place or life of a shared file itself.
/// Scopes nest: what somebody may do in one counts in those inside of it. The owner alone brings one
/// into another or out of it, whole and with new keys, or makes one around it.
package struct ShareValidator<View: ShareView> {
    let before: View
    let owner: AccountID
    let ownerKey: VerifyingKey
    let root: FileID
    let isPartial: Bool
    var author: AccountID
    var key: VerifyingKey
    var changed: [FileID: FileFacts] = [:]
    var groups: [FileID: EntryGroup] = [:]
    /// What a reader who sees no more is told of where scopes stand now.
    var told: [FileID: [FileID]] = [:]

    /// - Parameters:
    ///   - ownerKey: with which the owner signs.
    ///   - isPartial: whether the view is a member's, who sees only whole scopes.
    package init(before: View, owner: AccountID, ownerKey: VerifyingKey, isPartial: Bool = false) {
        self.before = before
        self.owner = owner
        self.ownerKey = ownerKey
        self.isPartial = isPartial
        root = FileID(rootOf: owner)
        author = owner
        key = ownerKey
    }

    /// Throws the first violation found.
    /// - Parameters:
    ///   - changes: the facts of every record of the entry that the reader sees.
    ///   - groups: the groups that the reader sees whole.
    ///   - key: the author's.
    package mutating func validate(
        _ changes: [FileFacts],
        _ groups: [EntryGroup],
        by author: AccountID,
        key: VerifyingKey
    ) throws {
        (self.author, self.key) = (author, key)
        for group in groups {
            self.groups[group.scope] = group
            guard isPartial, group.isMoved else { continue }
            told[group.scope] = group.grants.map(\.file).filter { $0 != group.scope }
        }
        changed.reserveCapacity(changed.count + changes.count)
        for facts in changes { changed[facts.id] = facts }
        var rights: [FileID: ShareMode] = [:]
        for facts in changes {
            guard facts.author == author else { throw Violation.foreignAuthor(facts.id) }
            guard facts.type != .link || facts.scope == root else {
                throw Violation.linkInShare(facts.id)
            }
            if author == owner {
                try validateOwner(facts)
            } else {
                let right = try rights[facts.scope] ?? right(in: facts.scope)
                rights[facts.scope] = right
                try validateMember(facts, right)
            }
        }
        try requireContent(of: groups)
        for group in groups { try validate(group) }
        if !isPartial {
            try requireTold()
            try requireMoved(changes)
        }
    }

    /// A scope and those around it after the entry.
    func scopes(around scope: FileID) throws -> [FileID] {
        try before.scopes(around: scope, after: changed, telling: told)
    }

    /// What the author may do in a scope.
    func right(in scope: FileID) throws -> ShareMode {
        if author == owner { return .admin }
        var scope = scope
        var seen: Set<FileID> = []
        var right = ShareMode.none
        while seen.insert(scope).inserted {
            right = max(right, try toldRight(in: scope))
            // A scope that is seen for the first time: what holds around it holds in it.
            guard isPartial, right < .admin, try before.facts(scope) == nil,
                let facts = changed[scope], let above = changed[facts.parent]
            else { break }
            scope = above.scope
        }
        return right
    }

    /// What grants on a scope, or told in it, let the author do.
    ///
    /// Who was let in by this entry knows nothing of an admin who made it but what its groups say,
    /// and that is signed by the owner. Who saw the scope before was told of every admin: what somebody
    /// is in another share says nothing of this one.
    private func toldRight(in scope: FileID) throws -> ShareMode {
        let known = try before.mode(of: author, in: scope)
        guard isPartial, known < .admin, try before.facts(scope) == nil else { return known }
        for grant in groups[scope]?.grants ?? [] where AccountID(grant.grantee) == author {
            // One of before what is known was renewed or taken back since; a later one was made while this
            // member did not see the scope.
            let held = try before.grant(of: grant.file, to: author)
            guard grant.mode == .admin, grant.grantor == owner, grant.owner == owner,
                held.map({ $0.bytes == grant.bytes || $0.serial < grant.serial }) ?? true,
                (try? grant.verify(by: ownerKey)) != nil
            else { continue }
            return .admin
        }
        return known
    }

    /// By what a group has in it its author is judged: one with nothing would ask for no right at all.
    private func requireContent(of groups: [EntryGroup]) throws {
        guard author != owner else { return }
        let scopes = Set(changed.values.map(\.scope))
        for group in groups where !group.isOfShares && !scopes.contains(group.scope) {
            throw Violation.foreignAuthor(group.scope)
        }
    }

    // MARK: Records

    private func validateMember(_ facts: FileFacts, _ right: ShareMode) throws {
        guard right >= .write else { throw Violation.foreignAuthor(facts.id) }
        guard let old = try before.facts(facts.id) else {
            let isNew = facts.scope != facts.id && facts.epoch == 1
            guard isNew || (isPartial && right == .admin) else { throw Violation.scope(facts.id) }
            return
        }
        guard old.scope == facts.scope else { throw Violation.scope(facts.id) }
        if old.epoch != facts.epoch {
            guard right == .admin, facts.epoch > old.epoch else {
                throw Violation.scope(facts.id)
            }
            try requireChildren(of: facts, old)
        }
        guard facts.scope == facts.id else { return }
        guard old.parent == facts.parent, old.isDeleted == facts.isDeleted else {
            throw Violation.foreignAuthor(facts.id)
        }
        // A folder around it with another key has another tag for the same name. Who does not see
        // that folder sees that there is a new key here, too.
        let isReseated =
            if right < .admin {
                false
            } else if let above = changed[facts.parent] {
                above.epoch == facts.parentEpoch
            } else {
                try isPartial && before.facts(facts.parent) == nil && facts.epoch > old.epoch
                    && facts.parentEpoch > old.parentEpoch
            }
        guard
            isReseated || (old.parentEpoch == facts.parentEpoch && old.nameTag == facts.nameTag)
        else { throw Violation.foreignAuthor(facts.id) }
    }

    private func validateOwner(_ facts: FileFacts) throws {
        guard let old = try before.facts(facts.id) else {
            guard facts.scope != facts.id || facts.id == root || isPartial else {
                throw Violation.scope(facts.id)
            }
            return
        }
        if facts.scope == facts.id, facts.id != root {
            try validateBorder(of: facts, old)
        } else if facts.scope != old.scope {
            guard old.scope != facts.id else { throw Violation.scope(facts.id) }
            try validateMove(of: facts, old)
        }
        if facts.epoch != old.epoch || facts.scope != old.scope {
            try requireChildren(of: facts, old)
        }
    }

    /// A scope begins where somebody is let in, and comes elsewhere as a whole.
    private func validateBorder(of facts: FileFacts, _ old: FileFacts) throws {
        if old.scope != facts.id {
            let isGranted =
                groups[facts.id]?.grants.contains { $0.file == facts.id && $0.mode > .none }
            guard isGranted ?? false else { throw Violation.scope(facts.id) }
        }
        let isMoved = groups[facts.id]?.isMoved ?? false
        guard try stands(facts, elsewhereThan: old) else {
            // Who sees a part cannot tell of what is around it.
            guard !isMoved || isPartial else { throw Violation.scope(facts.id) }
            return
        }
        guard isMoved, old.scope == facts.id else { throw Violation.scope(facts.id) }
    }

    /// Out of a scope a file goes with new keys, and the scope says so; into one further in, or out
    /// of the root's, it goes as it is.
    private func validateMove(of facts: FileFacts, _ old: FileFacts) throws {
        guard old.scope != root, !isPartial || groups[old.scope] != nil else { return }
        guard try !scopes(around: facts.scope).contains(old.scope) else { return }
        guard facts.epoch > old.epoch, groups[old.scope]?.left.contains(facts.id) ?? false else {
            throw Violation.rotation(facts.id)
        }
    }

    private func hasNewKey(_ folder: FileID) throws -> Bool {
        guard let new = changed[folder], let old = try before.facts(folder) else { return false }
        return new.epoch != old.epoch
    }

    /// A folder with another scope takes all that lives in it along.
    ///
    /// With another key it takes what was deleted there, too, which would open no more without it.
    private func requireChildren(of facts: FileFacts, _ old: FileFacts) throws {
        guard facts.type == .folder else { return }
        let isRotated = facts.epoch != old.epoch
        let children =
            try isRotated
            ? before.children(of: facts.id) : before.undeletedChildren(of: facts.id)
        for child in children where child != facts.id {
            guard let new = changed[child] else { throw Violation.rotation(child) }
            guard isRotated, let previous = try before.facts(child),
                new.epoch <= previous.epoch
            else { continue }
            // What goes elsewhere at the same time needs a new key where its new folder has one.
            guard new.parent != facts.id, try !hasNewKey(new.parent) else {
                throw Violation.rotation(child)
            }
        }
    }
}
