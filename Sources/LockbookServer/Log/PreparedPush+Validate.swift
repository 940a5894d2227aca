import LockbookCrypto
import LockbookModel

extension PreparedPush {
    /// Validates the push against the tree of a log as it is.
    ///
    /// But for what others say of grants it depends on the log alone, so it holds as long as this has the
    /// same head.
    /// - Parameters:
    ///   - facts: of what is listed.
    ///   - current: what is changed, and all that it stands in, as it is; nil for what is new.
    func validate(
        _ facts: [FileFacts],
        against current: [FileID: CurrentFile?],
        in store: any MetadataReading,
        for account: StoredAccount
    ) throws {
        // In a log of which something is shared the scopes are signed with the groups.
        guard try isSharedForm == (!grants.isEmpty || store.isShared(account.key)) else {
            throw VerificationFailure.hash
        }
        try validateGrants(in: store, for: account)
        let tree = CurrentTree(store, log: account.key, knowing: current)
        let author = header.author
        var validator = PushValidator(
            before: tree,
            owner: account.id,
            seenFrom: author == account.id ? [] : try outermostScopes(of: facts, in: tree)
        )
        guard purged.isEmpty || author == account.id else {
            throw Refusal(.notPermitted, "only the owner purges")
        }
        for (file, scope) in purged {
            if let facts = try tree.facts(file), facts.scope != scope {
                throw Violation.scope(file)
            }
        }
        try validator.validate(facts, purging: Set(purged.keys), by: author) {
            $0.author == author
        }
        var shares = ShareValidator(
            before: tree,
            owner: account.id,
            ownerKey: account.signingKey
        )
        try shares.validate(facts, self.shares, by: author, key: authorKey)
    }

    /// Refuses grants that call somebody by another name, and those to who is offered enough, or wants none.
    func validateGrants(in store: any MetadataReading, for account: StoredAccount) throws {
        try store.refuseMisnamed(grants, by: header.author)
        try store.refuseUnwanted(grants, of: account)
    }

    /// What the author sees nothing around, of what this push is about.
    private func outermostScopes(of facts: [FileFacts], in tree: CurrentTree) throws
        -> Set<FileID>
    {
        try Set(
            Set(facts.map(\.scope)).compactMap {
                try tree.outermostScope(seenBy: header.author, from: $0)
            }
        )
    }
}
