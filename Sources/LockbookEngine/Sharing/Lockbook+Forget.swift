import LockbookCrypto
import LockbookModel

extension Lockbook {
    /// Drops the keys that are known of a name, for all devices of this account from their next sync on.
    ///
    /// What was shared by them is let go of by the next sync as what ended is, and the name is met as
    /// one that nobody knows. The keys are not taken again, whatever name a server gives them, until
    /// somebody compares them. Where the log has other keys for the name than this device met, those
    /// of the log hold afterwards.
    /// - Parameter confirm: called before it is done, and only when it can be.
    /// - Throws: `.notMet`; `.badShare` while something of this account is shared with them.
    public func forget(_ username: String, confirm: () throws -> Void) throws {
        _ = try store.read { try $0.forgettable(username) }
        try confirm()
        try store.write { tree in
            try tree.setForgotten(tree.forgettable(username), true)
            if let book = try tree.agreedBook() { try tree.takeNames(of: book) }
        }
    }
}

extension LocalTree {
    /// Whose keys the name has, where they can be forgotten.
    fileprivate func forgettable(_ username: String) throws -> AccountID {
        guard let known = try known(username) else {
            throw LockbookError.notMet(username: username)
        }
        let shared = try shared(with: known.account)
        guard let first = shared.first else {
            try checkRoomToForget(username)
            return known.account
        }
        let others = shared.dropFirst().map { ", \($0)" }.joined()
        throw LockbookError.badShare(
            path: first + others,
            reason: "shared with \(username); `lockbook share revoke` takes that back first"
        )
    }

    private func checkRoomToForget(_ username: String) throws {
        let most = AddressBook.maximumForgottenCount
        guard try forgotten().count(where: \.isForgotten) < most else {
            throw LockbookError.badShare(
                path: username,
                reason: "the keys of \(most) accounts are forgotten already, and more have no room"
            )
        }
    }
}
