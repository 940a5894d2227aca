import LockbookCrypto
import LockbookModel

/// An entry about shares, and what it is about.
struct SharePlan {
    var push: PushPlan
    let file: FileID
    let sealed: SealedState?
    /// Whether something goes back in it that nonsense was written over.
    var isOverruling = false
    /// Whether it only tells of the end of an offer: all else goes on without that.
    var endsOffer = false

    /// What is planned besides what commands here want.
    struct Extras: OptionSet {
        let rawValue: Int

        /// Much that is damaged is purged without asking.
        static let purges = Extras(rawValue: 1 << 0)
        /// What nonsense was written over goes back.
        static let restorations = Extras(rawValue: 1 << 1)
        /// Those who are taken out are told of an offer's end first.
        static let endsOfOffers = Extras(rawValue: 1 << 2)
    }
}

/// When in a push entries about shares are sent.
enum SharePass {
    /// Before anything that was changed here: shares are only taken back.
    ///
    /// What cannot be done yet waits without a word.
    case beforeChanges
    case afterChanges
}

extension LocalTree {
    /// Signs an entry that makes one file's shares what commands here want them to be.
    ///
    /// Rows stay as they are until the entry is in the log: when somebody else's comes first, it is
    /// made again over the newer state. The rest is written at once: the entry has to be kept before it
    /// is sent, what is wanted in vain is forgotten, and what is damaged is marked to be purged, on which
    /// hangs what the entry says. So a dry run, too, needs its copy for that.
    /// - Parameter putOff: with whom what is not shared yet.
    /// - Returns: nil when nothing is left to do; and what cannot be done, with the reason.
    /// - Throws: `.stopped` where much would be purged.
    func planShare(
        _ pass: SharePass,
        without putOff: [FileID: Set<AccountID>] = [:],
        besides extras: SharePlan.Extras
    ) throws -> (plan: SharePlan?, notes: [SyncReport.Note]) {
        let isBeforeChanges = pass == .beforeChanges
        if isBeforeChanges { try settlePending() }
        guard try !hasPending() else { return (nil, []) }
        var notes = try dropOvertaken(without: putOff)
        let wanted = try wishes().filter { putOff[$0.file]?.contains($0.grantee) != true }
        for (file, all) in try inTurn(wanted) {
            let wishes = try ready(all, of: file)
            guard !wishes.isEmpty,
                !isBeforeChanges || wishes.contains(where: { $0.mode == .none })
            else { continue }
            guard try !isVain(wishes, of: file) else {
                // It is told of when its turn comes, after the changes.
                if !isBeforeChanges, let note = try dropVain(wishes, of: file) {
                    notes.append(note)
                }
                continue
            }
            if isBeforeChanges, extras.contains(.endsOfOffers),
                let plan = try planEndOfOffer(in: file, wishes)
            {
                return (plan, notes)
            }
            do {
                guard let plan = try sharePlan(for: file, wishes, pass) else { continue }
                return (plan, notes)
            } catch LockbookError.badShare(let path, let reason) {
                if wishes.contains(where: { $0.mode == .none }),
                    let plan = try planPurgeOfDamaged(
                        in: file,
                        asking: !extras.contains(.purges)
                    )
                {
                    return (plan, notes)
                }
                guard !isBeforeChanges else { continue }
                let revokes = try self.wishes().filter { $0.file == file && $0.mode == .none }
                // Until what these wait for can be pushed, no other words of the share are.
                if try !revokes.isEmpty && waitsForMoves(file) {
                    for wish in revokes { try mark(wish, .moves) }
                }
                notes.append(
                    SyncReport.Note(
                        kind: .notPushed,
                        id: file.description,
                        path: path,
                        detail: try reason + untilThen(file)
                    )
                )
            }
        }
        guard extras.contains(.restorations) else { return (nil, notes) }
        let restored = try planRestoration()
        return (restored.plan, notes + restored.notes)
    }

    private func sharePlan(
        for id: FileID,
        _ wishes: [ShareWish],
        _ pass: SharePass
    ) throws -> SharePlan? {
        guard let row = try row(id) else { return nil }
        var holding: [AccountID: Grant] = [:]
        for grant in try grants(of: id) { holding[AccountID(grant.grantee)] = grant }
        func mode(_ account: AccountID) -> ShareMode { holding[account]?.mode ?? .none }
        var open: [ShareWish] = []
        for wish in wishes {
            if wish.mode == mode(wish.grantee) { try forget(wish) } else { open.append(wish) }
        }
        // Taking back comes first, then what takes a part away, each in an entry of its own.
        let revoked = open.filter { $0.mode == .none }
        let lowered = open.filter { $0.mode < mode($0.grantee) }
        if !revoked.isEmpty || pass == .beforeChanges {
            open = revoked
        } else if !lowered.isEmpty {
            open = lowered
        }
        guard !open.isEmpty else { return nil }
        let isNew = open.contains { $0.mode > .none && mode($0.grantee) == .none }
        let sealed =
            isNew || !revoked.isEmpty
            ? try records(
                below: row,
                rotating: !revoked.isEmpty,
                keepsChanges: pass == .beforeChanges
            ) : SealedScopes()
        var entry = ShareEntry(file: id, sealed: sealed)
        entry.isNew = isNew
        for wish in open {
            let known = holding[wish.grantee]
            guard
                let (keys, name) = try known.map({ ($0.grantee, try granteeName(in: $0)) })
                    ?? contact(wish.grantee).map({ ($0.keys, $0.username) })
                    ?? lostGrant(to: wish.grantee).map({ ($0.grantee, $0.granteeName) })
            else {
                let grantee = try username(of: wish.grantee)
                throw badShare(row, "the keys of \(grantee) are not known here")
            }
            entry.own[id, default: []].append(
                try grant(id, to: keys, named: name, wish.mode, after: known)
            )
            if wish.mode > .none, mode(wish.grantee) == .none, sealed.keys[id] != nil {
                entry.wrapped[id, default: []].append(keys)
            }
        }
        return try sign(try completed(entry))
    }

    func grant(
        _ file: FileID,
        to keys: AccountPublicKeys,
        named name: Username,
        _ mode: ShareMode,
        after known: Grant?
    ) throws -> Grant {
        let (serial, isOver) = (known?.serial ?? 0).addingReportingOverflow(1)
        guard !isOver else {
            throw LockbookError.integrity(reason: "a grant cannot be followed by another one")
        }
        return try Grant(
            owner: owner,
            file: file,
            grantee: keys,
            named: name,
            mode: mode,
            grantor: author,
            serial: serial,
            created: environment.now(),
            signedBy: self.keys.signing
        )
    }

    /// Of a file of whose members an entry has no room to tell.
    func crowded(_ row: FileRow) -> LockbookError {
        let most = EntryGroup.maximumGrantCount
        return badShare(row, "with the shares around it it has more than \(most) members")
    }

    func badShare(_ row: FileRow, _ reason: String) -> LockbookError {
        .badShare(path: (try? path(of: row)) ?? "id:\(row.id)", reason: reason)
    }
}
