package import LockbookCrypto

extension ScopeState {
    /// Checks what of a state can be checked by itself: its grants are of this log, each signed by who
    /// made it, and everybody who holds one has the key of the scope.
    ///
    /// Of a grant that the owner did not make the key that signed it stands in another grant here, which
    /// that account holds or held on the same file or around it; unless it only takes back, and the scope
    /// stood in another one then. Whether it was an admin when it signed,
    /// the owner says, who read every entry, by signing the checkpoint: it may be none any more.
    /// - Parameter key: the owner's.
    package func verify(in log: AccountID, by key: VerifyingKey) throws(VerificationFailure) {
        // An account's id follows from its keys: they are the same in each grant.
        var signers: [AccountID: VerifyingKey] = [:]
        for grant in grants { signers[AccountID(grant.grantee)] = grant.grantee.signing }
        for grant in grants { try verify(grant, in: log, by: key, or: signers) }
        let holders = grants.filter { $0.mode > .none }.map { AccountID($0.grantee) }
        guard scope != FileID(rootOf: log) || (grants.isEmpty && wraps.isEmpty) else {
            throw .misplaced
        }
        let recipients = holders.isEmpty ? [] : Set(holders).union([log])
        guard wraps.count == recipients.count, recipients == Set(wraps.map(\.grantee)) else {
            throw .hash
        }
        for wrap in wraps {
            guard wrap.owner == log, wrap.file == scope, wrap.epoch == wraps[0].epoch else {
                throw .misplaced
            }
        }
    }

    private func verify(
        _ grant: Grant,
        in log: AccountID,
        by key: VerifyingKey,
        or signers: [AccountID: VerifyingKey]
    ) throws(VerificationFailure) {
        guard grant.owner == log, AccountID(grant.grantee) != log else { throw .misplaced }
        guard grant.grantor != log else { return try grant.verify(by: key) }
        // Only the owner makes admins.
        guard grant.mode < .admin else { throw .author }
        guard let signer = signers[grant.grantor] else {
            // The scope stood elsewhere when he took it back. It lets nobody in.
            guard grant.mode == .none else { throw .author }
            return
        }
        try grant.verify(by: signer)
    }
}
