package import LockbookCrypto

/// Checks what one entry does against who may do it, and that no share is left half done.
///
/// Client and server run this same code, beside `PushValidator`, which knows trees and not people.
/// Only the owner grants and takes back. A member with `write` makes, changes, moves and deletes
/// inside of his scopes, and never touches name, place or life of the shared file itself. A scope
/// stands in the root's scope: shares do not nest yet.
package struct ShareValidator<View: ShareView> {
    private let before: View
    private let owner: AccountID
    private let root: FileID
    private let isPartial: Bool
    private var changed: [FileID: FileFacts] = [:]

    /// - Parameter isPartial: whether the view is a member's, who sees only whole scopes.
    package init(before: View, owner: AccountID, isPartial: Bool = false) {
        self.before = before
        self.owner = owner
        self.isPartial = isPartial
        root = FileID(rootOf: owner)
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
        for facts in changes { changed[facts.id] = facts }
        for facts in changes {
            guard facts.author == author else { throw Violation.foreignAuthor(facts.id) }
            guard facts.type != .link || facts.scope == root else {
                throw Violation.linkInShare(facts.id)
            }
            if author == owner {
                try validateOwner(facts, groups)
            } else {
                try validateMember(facts, author)
            }
        }
        for group in groups { try validate(group, by: author, key: key) }
    }

    // MARK: Records

    private func validateMember(_ facts: FileFacts, _ author: AccountID) throws {
        guard try before.mode(of: author, in: facts.scope) >= .write else {
            throw Violation.foreignAuthor(facts.id)
        }
        guard let old = try before.facts(facts.id) else {
            guard facts.scope != facts.id, facts.epoch == 1 else {
                throw Violation.scope(facts.id)
            }
            return
        }
        guard old.scope == facts.scope, old.epoch == facts.epoch else {
            throw Violation.scope(facts.id)
        }
        guard facts.scope == facts.id else { return }
        guard old.parent == facts.parent, old.parentEpoch == facts.parentEpoch,
            old.nameTag == facts.nameTag, old.isDeleted == facts.isDeleted
        else { throw Violation.foreignAuthor(facts.id) }
    }

    private func validateOwner(_ facts: FileFacts, _ groups: [EntryGroup]) throws {
        if facts.scope == facts.id, facts.id != root, !isPartial {
            guard try (changed[facts.parent] ?? before.facts(facts.parent))?.scope == root else {
                throw Violation.scope(facts.id)
            }
        }
        guard let old = try before.facts(facts.id) else {
            guard facts.scope != facts.id || facts.id == root || isPartial else {
                throw Violation.scope(facts.id)
            }
            return
        }
        // Out of the root's scope a file goes into a shared folder or is shared, and stays.
        guard old.scope == facts.scope || old.scope == root else {
            throw Violation.scope(facts.id)
        }
        if facts.scope == facts.id, old.scope != facts.id {
            let isGranted = groups.contains { group in
                group.scope == facts.id && group.grants.contains { $0.mode > .none }
            }
            guard isGranted else { throw Violation.scope(facts.id) }
        }
        if facts.epoch != old.epoch || facts.scope != old.scope {
            try requireChildren(of: facts, old)
        }
    }

    /// A folder with another key or scope takes all that lives in it along.
    private func requireChildren(of facts: FileFacts, _ old: FileFacts) throws {
        guard facts.type == .folder else { return }
        for child in try before.undeletedChildren(of: facts.id) where child != facts.id {
            guard let new = changed[child] else { throw Violation.rotation(child) }
            if facts.epoch != old.epoch, let previous = try before.facts(child) {
                guard new.epoch > previous.epoch else { throw Violation.rotation(child) }
            }
        }
    }

    /// What a new member starts from: the whole of the scope is in the entry that lets him in.
    private func requireWhole(_ file: FileID) throws {
        var pending = [file]
        var seen: Set<FileID> = []
        while let id = pending.popLast() {
            guard changed[id] != nil, seen.insert(id).inserted else {
                throw Violation.rotation(id)
            }
            pending += try before.undeletedChildren(of: id)
        }
    }

    // MARK: Grants

    private func validate(_ group: EntryGroup, by author: AccountID, key: VerifyingKey) throws {
        let file = group.scope
        let isEmpty = group.grants.isEmpty && group.wraps.isEmpty
        guard !isEmpty || changed[file] != nil, file != root || !isEmpty else { return }
        let old = try before.facts(file)
        guard author == owner || isEmpty, file != root, let facts = changed[file] ?? old,
            facts.scope == file
        else { throw Violation.grant(file) }
        var holding: Set<AccountID> = []
        for grant in try before.grantees(of: file) { holding.insert(AccountID(grant.grantee)) }
        let isRotated = old.map { facts.epoch > $0.epoch } ?? false
        var wanted: Set<AccountID> = isRotated ? holding : []
        for grant in group.grants {
            let grantee = AccountID(grant.grantee)
            try validate(grant, of: file, key: key)
            if grant.mode == .none {
                guard isRotated, holding.remove(grantee) != nil || isPartial else {
                    throw Violation.rotation(file)
                }
                wanted.remove(grantee)
            } else if holding.insert(grantee).inserted, !isPartial {
                // A member may be told of others who were there before him.
                wanted.insert(grantee)
                try requireWhole(file)
            }
        }
        var wrapped: Set<AccountID> = []
        for wrap in group.wraps {
            guard wrap.owner == owner, wrap.file == file, wrap.epoch == facts.epoch,
                holding.contains(wrap.grantee), wrapped.insert(wrap.grantee).inserted
            else { throw Violation.grant(file) }
        }
        guard wanted.isSubset(of: wrapped) else { throw Violation.rotation(file) }
    }

    private func validate(_ grant: Grant, of file: FileID, key: VerifyingKey) throws {
        let grantee = AccountID(grant.grantee)
        guard grant.owner == owner, grant.file == file, grant.grantor == owner, grantee != owner,
            // Reserved: members who invite others.
            grant.mode != .admin
        else { throw Violation.grant(file) }
        do { try grant.verify(by: key) } catch { throw Violation.grant(file) }
        if let old = try before.grant(of: file, to: grantee) {
            guard grant.serial > old.serial else { throw Violation.grant(file) }
        }
    }
}
