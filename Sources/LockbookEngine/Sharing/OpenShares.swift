import LockbookModel

/// What others share with an account, opened once for each owner while links are followed.
///
/// Whoever holds a place behind a link holds the store open, with its descriptors, and hundreds of
/// links may lead to one owner's files.
final class OpenShares {
    private let lockbook: Lockbook
    private var opened: [AccountID: Lockbook] = [:]

    init(of lockbook: Lockbook) {
        self.lockbook = lockbook
    }

    /// What an account shares; nil when it shares nothing.
    func shared(by owner: AccountID) throws -> Lockbook? {
        if let known = opened[owner] { return known }
        let other = try lockbook.shared(by: owner)
        opened[owner] = other
        return other
    }

    /// Whether what a link leads to was taken back, or taken over, and was not offered again.
    ///
    /// A device that came after the end never had anything of it: what is shared, each has after its
    /// first sync.
    func hasEnded(_ target: LinkTarget) throws -> Bool {
        try shared(by: target.owner)?.store.read { try $0.row(target.file) == nil } ?? true
    }

    /// What is said where a link would lead to what has ended.
    func end(of target: LinkTarget, behind link: String) throws -> LockbookError {
        let deleted = try shared(by: target.owner)?.store.read { tree -> String? in
            try tree.isOwnerGone() ? tree.username(of: tree.owner) : nil
        }
        return .shareEnded(path: link, username: deleted)
    }

    /// What a link leads to, and a path below that.
    /// - Throws: `.leadsNowhere`.
    func place(behind target: LinkTarget, link: String, _ rest: String = "") throws -> SharedPlace {
        // A device that came after the end of what it leads to never had anything of it.
        guard let other = try shared(by: target.owner) else {
            throw LockbookError.leadsNowhere(path: link)
        }
        // It may stand inside of another share.
        let top = try other.store.read { tree in
            guard let row = try tree.row(target.file), try !tree.isDead(row) else {
                throw LockbookError.leadsNowhere(path: link)
            }
            return try tree.path(of: row)
        }
        return SharedPlace(lockbook: other, reference: .path(top + rest), top: top, link: link)
    }
}
