import LockbookCrypto
import LockbookModel

/// Who is let into a share that goes to another owner: what the earlier owner decided after it was
/// copied holds in the copy, too.
extension Sync {
    // MARK: The new owner

    /// Puts whom the copy is to be shared with right, before that is sent: who was taken out of the
    /// old share since, or may do less there, is not let in as before.
    mutating func settleHeirs() throws {
        guard !store.context.isForeign else { return }
        let waiting = try store.read { tree in
            try tree.wishes().isEmpty
                ? [] : tree.successors().filter { try tree.grants(of: $0.row.id).isEmpty }
        }
        for successor in waiting {
            guard let source = successor.sources.first?.offer.source,
                let other = others.first(where: { $0.store.context.owner == source.owner })
            else { continue }
            let (held, isSeen) = try other.store.read { tree in
                (
                    try tree.grants(of: source.file),
                    try tree.isOwnerGone() || tree.right(in: source.file) > .none
                )
            }
            // As in `decided`: the old share may be taken back again before the copy is shared again,
            // where the server was put back.
            guard isSeen else { continue }
            let notes = try store.write { tree in
                try tree.lower(wishesFor: successor.row, to: held)
            }
            report.note(once: notes)
        }
    }

    // MARK: The earlier owner

    /// Does in the new share what this account wanted of the old one, or did there after the copy
    /// was shared: before anything else goes there.
    mutating func carryMembers(
        of transfer: AddressBook.Transfer,
        to target: LinkTarget,
        in other: SharedLog
    ) throws {
        try leaveOwner(of: transfer, target.owner)
        let decided = try store.read { try $0.decided(transfer) }
        guard !decided.isEmpty else { return }
        let names = try store.read { tree in
            try decided.map { try tree.username(of: $0.grantee) }
        }
        let contacts = try store.read { tree in try decided.map { try tree.contact($0.grantee) } }
        let left = try other.store.write { tree in
            try decided.indices.filter { index in
                try !tree.carry(decided[index], to: target.file, contacts[index])
            }
        }
        let told = Set(try store.read { try $0.toldDecisions() })
        var new: [ToldDecision] = []
        for index in left {
            let decision = ToldDecision(decided[index], of: transfer.file)
            guard !told.contains(decision) else { continue }
            new.append(decision)
            try noteNews(
                .notDone,
                transfer.file,
                try store.read { try $0.shownPath(of: transfer.file) },
                "what \(names[index]) may do is for its new owner to say"
            )
        }
        if !new.isEmpty { try store.write { [new] in try $0.keepTold(new) } }
    }
}

/// What the owner of a share that goes on wants somebody to do there.
struct MemberDecision {
    let grantee: AccountID
    let mode: ShareMode
    /// When it was signed; nil for what is not in the log yet, which is newer than all that is.
    let signed: Timestamp?
    /// Whether it lets in who is not there.
    var letsIn = true
    /// Whether he is to lose it to the transfer anyhow: only what takes something from him is news.
    var isLeaving = false
    /// What the log has of him: whom an admin let in this device may never have met.
    var grant: Grant?
}

extension LocalTree {
    /// - Parameter held: who may do what in the share that is continued.
    fileprivate func lower(wishesFor row: FileRow, to held: [Grant]) throws -> [SyncReport.Note] {
        var notes: [SyncReport.Note] = []
        for wish in try wishes() where wish.file == row.id && wish.mode > .none {
            guard let grant = held.first(where: { AccountID($0.grantee) == wish.grantee }),
                grant.mode < wish.mode
            else { continue }
            if grant.mode == .none {
                try forget(wish)
            } else {
                var lower = wish
                lower.mode = grant.mode
                try self.wish(lower)
            }
            let name = try username(of: wish.grantee)
            notes.append(
                SyncReport.Note(
                    kind: .notDone,
                    id: row.id.description,
                    path: try path(of: row),
                    detail: grant.mode == .none
                        ? "\(name) was taken out before it was shared anew"
                        : "\(name) may do less since then (\(grant.mode))"
                )
            )
        }
        return notes
    }

    /// What is wanted here of who may see a share that another account continues.
    fileprivate func decided(_ transfer: AddressBook.Transfer) throws -> [MemberDecision] {
        let grants = try grants(of: transfer.file)
        let wishes = try wishes().filter { $0.file == transfer.file }
        let leaving = Set(wishes.filter(\.isSettling).map(\.grantee))
        let isTakenBack = try isTakenBack(transfer)
        var decided: [AccountID: MemberDecision] = [:]
        for grant in grants {
            let grantee = AccountID(grant.grantee)
            // Once the new owner has lost it in the log, all have: that is the transfer, and no decision. Then
            // only who came in after that, by an invitation, is to be thought of, and what an admin of what is
            // not taken back yet decides.
            let isOwn = grant.grantor == author
            if isTakenBack, isOwn, grant.mode == .none { continue }
            decided[grantee] = MemberDecision(
                grantee: grantee,
                mode: grant.mode,
                signed: grant.created,
                isLeaving: isOwn && leaving.contains(grantee),
                grant: grant
            )
        }
        for wish in wishes where !wish.isSettling {
            let held = decided[wish.grantee]?.mode ?? ShareMode.none
            if isTakenBack {
                // Whether a mode changes anything, only the copy tells.
                guard wish.mode == .none || wish.isChange else { continue }
            } else {
                guard wish.mode == .none || decided[wish.grantee] != nil else { continue }
                // Another mode lets nobody in who was taken out meanwhile.
                if wish.isChange, wish.mode > .none, held == .none { continue }
            }
            decided[wish.grantee] = MemberDecision(
                grantee: wish.grantee,
                mode: wish.mode,
                signed: nil,
                letsIn: !isTakenBack || held > .none,
                grant: decided[wish.grantee]?.grant
            )
        }
        decided[transfer.heir] = nil
        return decided.values.sorted { $0.grantee < $1.grantee }
    }

    /// Wishes in the new share what was decided in the old one, where that is the newer word.
    /// - Parameter contact: whose keys a new member needs.
    /// - Returns: false where it is not for this account to do.
    fileprivate func carry(
        _ decision: MemberDecision,
        to file: FileID,
        _ contact: AccountCertificate?
    ) throws -> Bool {
        guard let row = try row(file),
            let succession = try mark(of: row).sources(of: LinkTarget(owner: owner, file: file))
                .first, decision.grantee != owner
        else { return true }
        let known = try grants(of: file).first { AccountID($0.grantee) == decision.grantee }
        // Only an owner makes admins.
        let (mode, old) = (min(decision.mode, .write), known?.mode ?? .none)
        guard mode != old else { return true }
        if decision.isLeaving, known == nil || mode > old { return true }
        guard decision.letsIn || mode == .none || old > .none else { return false }
        // The new owner did not know of him, or did not want him: he alone can tell which.
        if known == nil, mode > .none, let signed = decision.signed, signed <= succession.created {
            return false
        }
        // The first grant of somebody says what was known when the copy was made. Of two words of the
        // same moment the one that takes something away holds.
        let since = known.flatMap { $0.serial > 1 ? $0.created : nil } ?? succession.created
        guard decision.signed.map({ $0 > since || $0 == since && mode < old }) ?? true else {
            return true
        }
        guard try right(in: file) >= .admin else { return false }
        if known == nil {
            if let contact {
                try pin(contact)
            } else if let grant = decision.grant {
                try keepLost([grant])
            } else {
                return false
            }
        }
        try wish(
            ShareWish(file: file, grantee: decision.grantee, mode: mode, isChange: old > .none)
        )
        return true
    }
}
