import LockbookCrypto

/// What the rules of sharing ask of a tree at one position of its log.
package protocol ShareView: FactsView {
    /// The grant that holds for an account on a file; also one that takes an earlier one back.
    func grant(of file: FileID, to account: AccountID) throws -> Grant?
    /// Every grant that holds on a file, those that take one back too.
    func grants(of file: FileID) throws -> [Grant]
    /// The files in a folder that are not themselves deleted.
    func undeletedChildren(of folder: FileID) throws -> [FileID]
}

extension ShareView {
    /// The scope around a file: the one it is in, or around it when it is a scope's first file.
    ///
    /// Nil at the top, and where nothing above can be seen.
    package func enclosingScope(of facts: FileFacts) throws -> FileID? {
        guard facts.scope == facts.id else { return facts.scope }
        guard facts.parent != facts.id else { return nil }
        return try self.facts(facts.parent)?.scope
    }

    /// A scope and those around it, from the inside out.
    package func scopes(around scope: FileID) throws -> [FileID] {
        var found: [FileID] = []
        var next: FileID? = scope
        while let id = next, !found.contains(id) {
            found.append(id)
            next = try facts(id).flatMap { try enclosingScope(of: $0) }
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

    /// The accounts that hold a grant on exactly this file.
    package func grantees(of file: FileID) throws -> [Grant] {
        try grants(of: file).filter { $0.mode > .none }
    }
}
