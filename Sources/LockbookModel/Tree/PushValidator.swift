package import LockbookCrypto

/// What a push, or a page of a log, does to a tree that no tree allows.
package enum Violation: Error, Equatable, Sendable {
    /// The root is changed, missing, or a second one appears.
    case root(FileID)
    case pathConflict(FileID, with: FileID)
    case cycle(FileID)
    case orphan(FileID)
    case childOfNonFolder(FileID)
    case typeChanged(FileID)
    case belowDead(FileID)
    case foreignAuthor(FileID)
    case foreignOwner(FileID)
    case epoch(FileID)
    case scope(FileID)
    /// A grant or wrap that its author may not make, or that does not fit what it is about.
    case grant(FileID)
    /// Members of a share are left with a key that they should not have, or without one.
    case rotation(FileID)
    case linkInShare(FileID)
}

/// What the validator asks of the tree before the change.
package protocol FactsView {
    func facts(_ id: FileID) throws -> FileFacts?
    /// The child that is not itself deleted and has this name tag.
    func undeletedChild(of parent: FileID, tagged tag: Hash256) throws -> FileID?
}

/// Checks the invariants of DESIGN section 3 on the part of a tree that a server can see.
///
/// Client and server run this same code. The cost follows the change and the depth of what it
/// touches, never the size of the tree.
package struct PushValidator<View: FactsView> {
    let before: View
    private let owner: AccountID
    let root: FileID
    var changed: [FileID: FileFacts] = [:]
    var purged: Set<FileID> = []
    // Whether a file is dead, for everything that was walked.
    private var dead: [FileID: Bool] = [:]
    // What has its name and its place from before.
    private var standing: Set<FileID> = []

    let refusesDead: Bool
    private let tops: Set<FileID>
    private let seenFrom: Set<FileID>
    private let entryCount: UInt64

    /// - Parameters:
    ///   - refusesDead: whether writing below a dead folder is a violation. A reader who looks at
    ///     the end of several entries cannot tell, because the folder may have died after.
    ///   - tops: shared files of which a member sees nothing above. With any, the tree counts as
    ///     seen in part: a file may come into sight in any epoch.
    ///   - seenFrom: shared files around which the author sees nothing: what is deleted there does
    ///     not keep him from writing.
    ///   - entryCount: of the log, this change included. Each adds at most one to the epoch of a file,
    ///     so none is higher: what jumps there would leave nothing to come after it.
    package init(
        before: View,
        owner: AccountID,
        refusesDead: Bool = true,
        tops: Set<FileID> = [],
        seenFrom: Set<FileID> = [],
        entryCount: UInt64 = .max
    ) {
        self.before = before
        self.owner = owner
        self.refusesDead = refusesDead
        self.tops = tops
        self.seenFrom = seenFrom
        self.entryCount = entryCount
        root = FileID(rootOf: owner)
    }

    /// Throws the first violation found, or nothing when the change may be made.
    /// - Parameters:
    ///   - author: who made all of it; nil when several did, each of whom was looked at.
    ///   - mayWrite: whether the author may change this file, as the grants stand.
    package mutating func validate(
        _ changes: [FileFacts],
        by author: AccountID?,
        mayWrite: (FileFacts) throws -> Bool
    ) throws {
        changed.reserveCapacity(changed.count + changes.count)
        for facts in changes {
            guard facts.owner == owner else { throw Violation.foreignOwner(facts.id) }
            guard author == nil || facts.author == author, try mayWrite(facts) else {
                throw Violation.foreignAuthor(facts.id)
            }
            guard changed.updateValue(facts, forKey: facts.id) == nil else {
                throw Violation.pathConflict(facts.id, with: facts.id)
            }
        }
        for facts in changes { try validate(facts) }
        try validateNames(changes)
    }

    private mutating func validate(_ facts: FileFacts) throws {
        guard facts.epoch <= entryCount else { throw Violation.epoch(facts.id) }
        let old = try before.facts(facts.id)
        if let old {
            guard old.type == facts.type else { throw Violation.typeChanged(facts.id) }
            // Of several entries a reader checks each; the end of all may be epochs further.
            guard
                facts.epoch == old.epoch || facts.epoch - 1 == old.epoch
                    || (!refusesDead && facts.epoch > old.epoch)
            else { throw Violation.epoch(facts.id) }
            if !old.isDeleted, old.parent == facts.parent, old.nameTag == facts.nameTag {
                standing.insert(facts.id)
            }
        } else {
            guard facts.epoch == 1 || !tops.isEmpty || !refusesDead else {
                throw Violation.epoch(facts.id)
            }
        }
        if tops.contains(facts.id) {
            guard facts.scope == facts.id else { throw Violation.scope(facts.id) }
            return
        }
        if facts.id == root || facts.parent == facts.id {
            try validateRoot(facts, old: old)
            return
        }
        guard let parent = try after(facts.parent) else { throw Violation.orphan(facts.id) }
        guard parent.type == .folder else { throw Violation.childOfNonFolder(facts.id) }
        let isLeftBehind = isLeftBehind(facts, by: parent)
        guard facts.parentEpoch == parent.epoch || isLeftBehind else {
            throw Violation.epoch(facts.id)
        }
        // Without grants every scope is the root's; a shared file starts a scope of its own.
        guard facts.scope == parent.scope || facts.scope == facts.id || isLeftBehind else {
            throw Violation.scope(facts.id)
        }
        let parentIsDead = try isDead(facts.parent)
        guard facts.isDeleted || !parentIsDead || !refusesDead || isSealedAnew(facts, old) else {
            throw Violation.belowDead(facts.id)
        }
    }

    /// Whether a folder may have another scope, or a later key, than what lies deleted in it.
    ///
    /// What does not open goes along with no folder, and servers once took an entry with a new key
    /// that left more behind. A reader who ended with that would never get past it.
    private func isLeftBehind(_ facts: FileFacts, by folder: FileFacts) -> Bool {
        !refusesDead && facts.isDeleted && facts.parentEpoch <= folder.epoch
    }

    /// Whether nothing of a file is another than before but its keys, or the scope that it is in.
    ///
    /// With a share go the folders in its trash, too. Who sees a part cannot tell, where he saw nothing
    /// before.
    private func isSealedAnew(_ facts: FileFacts, _ old: FileFacts?) -> Bool {
        guard let old else { return !tops.isEmpty }
        return old.parent == facts.parent && !old.isDeleted && old.blob?.name == facts.blob?.name
            && (old.nameTag == facts.nameTag || old.parentEpoch != facts.parentEpoch)
    }

    private func validateRoot(_ facts: FileFacts, old: FileFacts?) throws {
        guard facts.id == root, facts.parent == root, facts.type == .folder, !facts.isDeleted,
            facts.scope == root
        else { throw Violation.root(facts.id) }
        if let old {
            // Its name stays; its key, and what its body says besides, may be new.
            guard facts.nameTag == old.nameTag else { throw Violation.root(facts.id) }
        }
    }

    private func validateNames(_ changes: [FileFacts]) throws {
        var taken: [Place: FileID] = [:]
        for facts in changes where !facts.isDeleted && facts.id != root {
            let place = Place(parent: facts.parent, tag: facts.nameTag)
            if let other = taken.updateValue(facts.id, forKey: place) {
                throw Violation.pathConflict(facts.id, with: other)
            }
            guard !standing.contains(facts.id) else { continue }
            if let other = try before.undeletedChild(of: facts.parent, tagged: facts.nameTag),
                other != facts.id, changed[other] == nil, !purged.contains(other)
            {
                throw Violation.pathConflict(facts.id, with: other)
            }
        }
    }

    private func after(_ id: FileID) throws -> FileFacts? {
        if let facts = changed[id] { return facts }
        return purged.contains(id) ? nil : try before.facts(id)
    }

    /// Walks up to the root once for every file; a walk that meets itself is a cycle.
    private mutating func isDead(_ start: FileID) throws -> Bool {
        var path: [FileID] = []
        var onPath: Set<FileID> = []
        var id = start
        var known = dead[id]
        while known == nil {
            guard onPath.insert(id).inserted else { throw Violation.cycle(id) }
            guard let facts = try after(id) else { throw Violation.orphan(id) }
            path.append(id)
            if tops.contains(id) {
                known = false
            } else if facts.parent == id {
                guard id == root else { throw Violation.root(id) }
                known = false
            } else {
                id = facts.parent
                known = dead[id]
            }
        }
        // A deleted folder makes dead what is below it, itself included.
        var isDead = known == true
        for id in path.reversed() {
            if seenFrom.contains(id) { isDead = false }
            if let facts = try after(id), facts.isDeleted { isDead = true }
            dead[id] = isDead
        }
        return isDead
    }
}

/// Where a name stands.
private struct Place: Hashable {
    let parent: FileID
    let tag: Hash256
}
