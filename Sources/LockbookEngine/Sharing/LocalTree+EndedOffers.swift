import LockbookCrypto
import LockbookModel

extension LocalTree {
    /// Signs an entry that tells the members of a shared file that an offer to give it away is over.
    ///
    /// When all are taken out by the sync in which the offer ends, the change that says so would come
    /// after that, where none of them reads it: their links would follow a copy that continues nothing.
    /// - Parameter wishes: what is wanted of the file.
    /// - Returns: nil where nobody has to be told, or other changes of the file have to go first.
    func planEndOfOffer(in file: FileID, _ wishes: [ShareWish]) throws -> SharePlan? {
        let gone = Set(wishes.filter { $0.mode == .none }.map(\.grantee))
        let members = try grants(of: file).filter { $0.mode > .none }.map { AccountID($0.grantee) }
        guard !isForeign, members.allSatisfy(gone.contains), let row = try row(file),
            try staysInScope(row, isTop: true), var agreed = try base(row)
        else { return nil }
        var mark = FileMark(reading: agreed.bodyExtension)
        guard let offer = mark.offer, members.contains(where: { $0 != offer.heir }),
            try self.mark(of: row).offer == nil
        else { return nil }
        mark.offer = nil
        agreed.bodyExtension = mark.bytes
        // As the server has it otherwise: what was written since is not for them.
        let record = try seal(agreed, row: row)
        var sealed = SealedScopes()
        sealed.records = [record]
        sealed.hashes = [record.hash]
        var plan = try sign(ShareEntry(file: file, sealed: sealed))
        plan.endsOffer = true
        return plan
    }
}
