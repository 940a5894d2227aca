import LockbookCrypto
import LockbookModel

extension LocalTree {
    /// Lets go of what was wanted in ignorance of what another device or an admin did meanwhile.
    ///
    /// Another mode for who was taken out lets nobody in, and letting in who is there already takes
    /// nothing from him. What an admin wanted goes when he is none any more, also where he is one again. What
    /// a transfer wanted goes without a word where that has ended.
    /// - Parameter putOff: of whom nothing is decided yet.
    func dropOvertaken(without putOff: [FileID: Set<AccountID>]) throws -> [SyncReport.Note] {
        var notes: [SyncReport.Note] = []
        for wish in try wishes() where putOff[wish.file]?.contains(wish.grantee) != true {
            if try wish.isSettling && isKept(wish.file) {
                try wish.isFinal ? decide(wish) : forget(wish)
                continue
            }
            guard let detail = try whyOvertaken(wish) else { continue }
            try forget(wish)
            notes.append(try notDone(of: wish.file, detail))
        }
        return notes
    }

    /// Makes what a transfer wanted a decision of this account's.
    private func decide(_ wish: ShareWish) throws {
        var decided = wish
        (decided.isSettling, decided.isFinal) = (false, false)
        try self.wish(decided)
    }

    /// Whether nobody can be let into a file any more, or that is not for this account to say.
    func isVain(_ wishes: [ShareWish], of file: FileID) throws -> Bool {
        guard let row = try row(file) else { return true }
        // What is in the trash is not shared with anybody new, but who goes does not see it there.
        if try !wishes.contains(where: { $0.mode == .none }) && isDead(row) { return true }
        return try isForeign && right(in: file) < .admin
    }

    /// Lets go of such wishes.
    /// - Returns: what there is to say of it; nil when only who does not see it any more was to go.
    func dropVain(_ wishes: [ShareWish], of file: FileID) throws -> SyncReport.Note? {
        for wish in wishes { try forget(wish) }
        guard isForeign || wishes.contains(where: { $0.mode > .none }) else { return nil }
        let names = try wishes.map { try username(of: $0.grantee) }.joined(separator: ", ")
        return try notDone(
            of: file,
            "what you wanted of it for \(names) is not done, because \(whyVain(file))"
        )
    }

    private func whyVain(_ file: FileID) throws -> String {
        guard isForeign else { return "it was deleted" }
        // Purged, or moved to where this account sees nothing.
        guard try row(file) != nil else { return "it is not there any more" }
        return try right(in: file) < .admin
            ? "you may not decide who sees it any more" : "it was deleted"
    }

    func notDone(of file: FileID, _ detail: String) throws -> SyncReport.Note {
        SyncReport.Note(
            kind: .notDone,
            id: file.description,
            path: try row(file).map { try path(of: $0) } ?? (isForeign ? "/\(file)" : "id:\(file)"),
            detail: detail
        )
    }

    private func whyOvertaken(_ wish: ShareWish) throws -> String? {
        let name = try username(of: wish.grantee)
        if wish.isForfeited {
            let isOver = try right(in: wish.file) < .admin
            let reason =
                isOver
                ? "you may not decide who sees it any more"
                : "you could not decide who sees it for a while"
            return "what you wanted of it for \(name) is not done, because \(reason)"
        }
        guard wish.mode > .none else { return nil }
        let grant = try grants(of: wish.file).first { AccountID($0.grantee) == wish.grantee }
        let held = grant?.mode ?? ShareMode.none
        if wish.isChange, held == .none {
            return "\(name) was taken out meanwhile, and another mode lets nobody in again"
        }
        guard !wish.isChange, held > wish.mode else { return nil }
        return "\(name) was let in meanwhile (\(held)); `share mode` changes how"
    }

    /// Notes of what this account wants as an admin that it is none any more, as the news tell, or was
    /// none in between.
    ///
    /// Before these are kept, and while what is here stands where it did.
    func forfeitWishes(by news: ShareNews?) throws {
        guard isForeign, let news else { return }
        let lowered = news.grants.filter { AccountID($0.grantee) == author && $0.mode < .admin }
        guard !lowered.isEmpty else { return }
        let view = PageView(tree: self)
        for wish in try wishes() {
            let rights = try view.scopes(around: wish.file).flatMap { try grants(of: $0) }
                .filter { AccountID($0.grantee) == author && $0.mode == .admin }
            let isLost = rights.allSatisfy { right in
                lowered.contains { $0.file == right.file && $0.serial > right.serial }
            }
            if isLost, !rights.isEmpty { try markForfeited(wish) }
        }
    }

    /// Of what the log says of invitations and transfers, what is not as this device wanted it: it is
    /// overtaken by what another device did first.
    func overtaken(by book: AddressBook, after before: AddressBook?) throws -> [SyncReport.Note] {
        var notes: [SyncReport.Note] = []
        // Whom another device met this one has no keys of yet.
        func name(of account: AccountID) throws -> String {
            try book.names.first { $0.account == account }?.username.text
                ?? username(of: account)
        }
        let here = try invitations().map(\.entry)
        for invitation in book.invitations {
            guard case .used(let account) = invitation.state,
                here.contains(where: {
                    $0.secret == invitation.secret && $0.state == .takenBack
                })
            else { continue }
            notes.append(
                try overtaken(
                    invitation.file,
                    of: invitation.owner,
                    "\(name(of: account)) was let in by an invitation before that was taken back here; "
                        + "`share revoke` with that name takes the share back"
                )
            )
        }
        for transfer in book.transfers {
            guard let known = try self.transfer(of: transfer.file), known != transfer, known.isOpen,
                known.number <= transfer.number,
                before?.transfers.contains(known) != true, try whole(of: known) == known
            else { continue }
            let (name, other) = try (name(of: known.heir), name(of: transfer.heir))
            notes.append(
                try overtaken(
                    transfer.file,
                    of: nil,
                    "\(name) is not given it, as another device "
                        + (transfer.isOpen ? "gives it to \(other)" : "took back that it was given")
                )
            )
        }
        return notes
    }

    private func overtaken(_ file: FileID, of owner: AccountID?, _ detail: String) throws
        -> SyncReport.Note
    {
        let place =
            try owner.map { try links(to: $0)[file]?.path }
            ?? row(file).map { try path(of: $0) }
        return SyncReport.Note(
            kind: .notDone,
            id: file.description,
            path: place ?? "id:\(file)",
            detail: detail
        )
    }
}
