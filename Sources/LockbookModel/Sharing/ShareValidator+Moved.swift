import LockbookCrypto

/// Scopes that come into another one or out of it: only with their owner, whole, with new keys, and
/// so that everybody who sees them before or after is told where they stand.
extension ShareValidator {
    /// Whether a shared file stands in other scopes after the entry.
    ///
    /// One that is made around it does not count, nor what a reader cannot see.
    func stands(_ facts: FileFacts, elsewhereThan old: FileFacts) throws -> Bool {
        func known(_ scopes: [FileID]) throws -> [FileID] {
            try scopes.filter {
                try $0 != facts.id && $0 != root && before.facts($0)?.scope == $0
            }
        }
        return try known(before.seenScopes(around: old.scope))
            != known(before.seenScopes(around: facts.id, after: changed))
    }

    /// What the group of such a scope has to say.
    func validateMoved(_ group: EntryGroup, _ old: FileFacts?) throws {
        let scope = group.scope
        guard author == owner else { throw Violation.foreignAuthor(scope) }
        guard let facts = changed[scope], isPartial || old?.scope == scope else {
            throw Violation.scope(scope)
        }
        if let old {
            guard facts.epoch > old.epoch else { throw Violation.rotation(scope) }
        }
        guard !isPartial else { return }
        try requireWhole(group)
        for grant in try holders(of: scope) {
            guard group.grants.contains(where: { $0.bytes == grant.bytes }) else {
                throw Violation.grant(scope)
            }
        }
        let around = try scopes(around: scope).dropFirst()
        if let outer = around.first, outer != root {
            guard groups[outer]?.inner.contains(scope) ?? false else {
                throw Violation.scope(scope)
            }
        }
        if let outer = try before.enclosing(scope), outer != root, !around.contains(outer) {
            guard groups[outer]?.left.contains(scope) ?? false else {
                throw Violation.scope(scope)
            }
        }
    }

    /// No shared file comes elsewhere unsaid, be it in a deleted folder.
    func requireMoved(_ changes: [FileFacts]) throws {
        let isDue = try changes.contains { facts in
            guard facts.type == .folder, let old = try before.facts(facts.id) else { return false }
            return old.scope != facts.scope || groups[facts.id]?.isMoved ?? false
        }
        guard isDue else { return }
        for file in try before.sharedFiles() where groups[file]?.isMoved != true {
            guard let old = try before.facts(file) else { continue }
            guard try !stands(changed[file] ?? old, elsewhereThan: old) else {
                throw Violation.scope(file)
            }
        }
    }
}
