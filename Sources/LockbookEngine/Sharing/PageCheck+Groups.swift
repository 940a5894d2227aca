import FoundationEssentials
import LockbookAPI
import LockbookCrypto
import LockbookModel

/// Which groups of an entry are for this account, and whether any of those was kept back.
extension PageCheck {
    /// The groups of an entry, which are those that were signed.
    func seen(_ entry: Lockbook_V1_Entry, _ header: EntryHeader) throws
        -> (whole: [EntryGroup], hidden: Set<FileID>)
    {
        var whole: [EntryGroup] = []
        var hidden: Set<FileID> = []
        var body = EntryBody(groups: [], scopes: [])
        for group in entry.groups {
            switch group.content {
            case .whole(let bytes):
                let group = try EntryGroup(Array(bytes))
                whole.append(group)
                body.groups.append(.whole(Array(bytes)))
                body.scopes?.append(group.scope)
            case .hidden(let bytes):
                let bytes = Array(bytes)
                guard bytes.count == 48, let scope = FileID(bytes[..<16]),
                    let hash = Hash256(bytes[16...])
                else { throw VerificationFailure.hash }
                hidden.insert(scope)
                body.groups.append(.hidden(hash))
                body.scopes?.append(scope)
            case nil: throw VerificationFailure.hash
            }
        }
        if header.position == 0 { body.certificate = Array(entry.certificate) }
        let scopes = body.scopes ?? []
        guard zip(scopes, scopes.dropFirst()).allSatisfy({ $0 < $1 }) else {
            throw VerificationFailure.hash
        }
        if body.hash != header.bodyHash {
            // From the time before anything was shared; a member was not there yet.
            body.scopes = nil
            guard !context.isForeign, hidden.isEmpty, body.hash == header.bodyHash else {
                throw VerificationFailure.hash
            }
        }
        guard context.isForeign || hidden.isEmpty else { throw VerificationFailure.hash }
        // Where an entry says nothing, or only what is its owner's, nobody else has a right to it; that
        // can be seen of one, too, that is hidden otherwise.
        guard !scopes.isEmpty,
            header.author == context.owner || !scopes.contains(FileID(rootOf: context.owner))
        else { throw VerificationFailure.author }
        return (whole, hidden)
    }

    /// The groups that are for this account: it may see them before the entry or after it.
    /// - Parameter before: what it holds before the entry.
    /// - Throws: when one of those was kept back.
    func mine(_ whole: [EntryGroup], _ hidden: Set<FileID>, _ before: Set<FileID>) throws
        -> [EntryGroup]
    {
        guard context.isForeign else { return whole }
        var held = before
        var after: [FileID: FileFacts] = [:]
        for group in whole {
            for grant in group.grants
            where AccountID(grant.grantee) == context.author && grant.file == group.scope {
                guard grant.mode > .none else {
                    held.remove(group.scope)
                    continue
                }
                // What tells of a share of which nothing is here, and does not bring it, is about a
                // time that this device was not told of, and that ended.
                let isBrought = group.records.contains { $0.file == group.scope }
                if try isBrought || view.facts(group.scope) != nil { held.insert(group.scope) }
            }
            for reference in group.records {
                guard let facts = records[reference.hash]?.facts, facts.id == reference.file else {
                    continue
                }
                after[facts.id] = facts
            }
        }
        let view = view
        func isMine(_ scope: FileID) throws -> Bool {
            try view.scopes(around: scope).contains { before.contains($0) }
                || view.scopes(around: scope, after: after).contains { held.contains($0) }
        }
        guard try !hidden.contains(where: isMine) else { throw VerificationFailure.hash }
        let mine = try whole.filter { try isMine($0.scope) }
        guard mine.allSatisfy({ hidden.isDisjoint(with: $0.inner) }) else {
            throw VerificationFailure.hash
        }
        return mine
    }

    /// The key of an account that this entry, or one before it, tells of; nil for nobody known.
    ///
    /// What it may do with it is another question.
    func key(of author: AccountID, _ shown: [EntryGroup]) throws -> VerifyingKey? {
        if author == context.author { return context.keys.signing.publicKey }
        if author == context.owner { return try tree.contact(author)?.keys.signing }
        for grants in checked.overlay.grants.values {
            if let grant = grants[author] { return grant.grantee.signing }
        }
        for group in shown {
            let told = group.grants.first { AccountID($0.grantee) == author }
            if let told { return told.grantee.signing }
        }
        // For each entry: all grants of a tree with many members would be opened as often.
        return try tree.grants(to: author).first?.grantee.signing
    }
}
