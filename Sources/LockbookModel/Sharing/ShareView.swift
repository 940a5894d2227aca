import LockbookCrypto

/// What the rules of sharing ask of a tree at one position of its log.
package protocol ShareView: FactsView {
    /// The grant that holds for an account on a file; also one that takes an earlier one back.
    func grant(of file: FileID, to account: AccountID) throws -> Grant?
    /// Every grant that holds on a file, those that take one back too.
    func grants(of file: FileID) throws -> [Grant]
    /// Every file whose folder this is, deleted ones too.
    func children(of folder: FileID) throws -> [FileID]
    /// The files in a folder that are not themselves deleted.
    func undeletedChildren(of folder: FileID) throws -> [FileID]
    /// The files on which somebody holds a grant.
    func sharedFiles() throws -> [FileID]
    /// Scopes around one of whose surroundings nothing is seen, as its group told of them.
    func toldScopes(around scope: FileID) throws -> [FileID]
}

extension ShareView {
    package func toldScopes(around scope: FileID) -> [FileID] { [] }

    /// A scope and those around it, from the inside out.
    /// - Parameters:
    ///   - changes: files of an entry, as they are after it.
    ///   - moved: what is told of scopes that stand elsewhere after it, in place of what was.
    package func scopes(
        around scope: FileID,
        after changes: [FileID: FileFacts] = [:],
        telling moved: [FileID: [FileID]] = [:]
    ) throws -> [FileID] {
        var found = try seenScopes(around: scope, after: changes)
        var known: Set<FileID> = []
        for id in found {
            for outer in try moved[id] ?? toldScopes(around: id) {
                // Most have nothing told of them.
                if known.isEmpty { known = Set(found) }
                if known.insert(outer).inserted { found.append(outer) }
            }
        }
        return found
    }

    /// The same, without those that are only told of.
    package func seenScopes(around scope: FileID, after changes: [FileID: FileFacts] = [:]) throws
        -> [FileID]
    {
        func now(_ id: FileID) throws -> FileFacts? { try changes[id] ?? facts(id) }
        var found: [FileID] = []
        var known: Set<FileID> = []
        var next: FileID? = scope
        while let id = next, known.insert(id).inserted {
            found.append(id)
            guard let facts = try now(id) else { break }
            guard facts.scope == id else {
                next = facts.scope
                continue
            }
            next = facts.parent == id ? nil : try now(facts.parent)?.scope
        }
        return found
    }

    /// What an account that is not the owner may do in a scope: the most that is granted on it or
    /// on a scope around it.
    package func mode(of account: AccountID, in scope: FileID) throws -> ShareMode {
        try scopes(around: scope).reduce(.none) {
            max($0, try grant(of: $1, to: account)?.mode ?? .none)
        }
    }

    /// The outermost scope that an account sees of those around this one; nil when it sees none.
    package func outermostScope(seenBy account: AccountID, from scope: FileID) throws -> FileID? {
        try scopes(around: scope).last { try grant(of: $0, to: account)?.mode ?? .none > .none }
    }

    /// The scope that the folder of a shared file is in; nil for the root's, and where it is not seen.
    package func enclosing(_ scope: FileID) throws -> FileID? {
        guard let facts = try facts(scope), facts.parent != scope else { return nil }
        return try self.facts(facts.parent)?.scope
    }

    /// The accounts that hold a grant on exactly this file.
    package func grantees(of file: FileID) throws -> [Grant] {
        try grants(of: file).filter { $0.mode > .none }
    }
}
