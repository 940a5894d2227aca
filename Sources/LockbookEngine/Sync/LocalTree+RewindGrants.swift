import GRDB
import LockbookCrypto
import LockbookModel

/// What was decided of who sees a share since the entry to which this device went back.
///
/// The wishes for it are not all: another device may have seen only a part of that, and do it again
/// before or after this one.
extension LocalTree {
    /// - Returns: what has to be granted and taken back again.
    func rewindGrants(to step: LogStep?) throws -> [ShareWish] {
        defer { (rights, granteeNames) = (KnownRights(), nil) }
        var wishes: [ShareWish] = []
        var lost: [Grant] = []
        var decided: [RewoundGrant] = []
        let ends = try endsByTransfers()
        for (file, grantee, then) in try grants(at: step) {
            let now = try grant(of: file, to: grantee)
            if let then {
                try keep(then)
            } else {
                try db.cachedStatement(
                    sql: "DELETE FROM share_grant WHERE file = ? AND grantee = ?"
                ).execute(arguments: [file.bytes.data, grantee.hash.bytes.data])
            }
            guard !isForeign, let now else { continue }
            let mode = then?.mode ?? ShareMode.none
            let rewound = RewoundGrant(grant: now, serialThen: then?.serial ?? 0)
            let end = ends[file].flatMap { $0.isAlso(of: grantee) ? $0 : nil }
            guard now.mode != mode else {
                // A transfer that ended it is gone through with once more by itself.
                let isNews = now.serial > rewound.serialThen && end == nil
                if isNews { decided.append(rewound) }
                continue
            }
            if mode == .none { decided.append(rewound) }
            wishes.append(
                ShareWish(
                    file: file,
                    grantee: grantee,
                    mode: now.mode,
                    isChange: mode > .none,
                    isSettling: now.mode == .none && end != nil,
                    isFinal: now.mode == .none && end?.isFinal ?? false
                )
            )
            if then == nil { lost.append(now) }
        }
        if !lost.isEmpty { try keepLost(lost) }
        if !decided.isEmpty { try keepRewound(decided) }
        return wishes
    }

    /// The shares that nobody has any more because they were given away.
    private func endsByTransfers() throws -> [FileID: EndByTransfer] {
        let given = try transfers().filter { try isTakenBack($0) }
        guard !given.isEmpty else { return [:] }
        let changes = try grantChanges()
        return try given.reduce(into: [:]) { ends, transfer in
            ends[transfer.file] = EndByTransfer(
                step: changes[try whole(of: transfer).file]?[transfer.heir] ?? 0,
                changes: changes[transfer.file] ?? [:],
                isFinal: !transfer.isOpen
            )
        }
    }

    /// Compares what was decided with what the server has by now, before anything is pushed.
    ///
    /// Who has more again than he was left with loses it again, in the sync that goes back; who has
    /// it again later is only named, as by then somebody may have wanted that. Who is to be let in
    /// again, and was taken out in the meantime, stays out.
    func settleRewound() throws -> SettledGrants {
        var settled = SettledGrants()
        let known = try rewoundGrants()
        let wishes = try wishes()
        var left: [RewoundGrant] = []
        for decided in known where try row(decided.grant.file) != nil {
            let wish = wishes.first {
                $0.file == decided.grant.file && $0.grantee == decided.grantee
            }
            let held = try grant(of: decided.grant.file, to: decided.grantee)
            let stays =
                if let wish {
                    try settle(wish, decided, held, &settled)
                } else {
                    try settle(decided, held, &settled)
                }
            if let stays { left.append(stays) }
        }
        if left != known { try setRewound(left) }
        return settled
    }

    /// - Parameter wish: to let him in again, or what commands here want since.
    /// - Returns: what is to be looked at again; nil for nothing.
    private func settle(
        _ wish: ShareWish,
        _ decided: RewoundGrant,
        _ held: Grant?,
        _ settled: inout SettledGrants
    ) throws -> RewoundGrant? {
        guard decided.grant.mode > .none, wish.mode == decided.grant.mode, !wish.isChange else {
            return nil
        }
        if decided.isNew, let held, held.serial > decided.serialThen, held.mode > wish.mode {
            // Another device let him in with more than he was left with.
            var lowered = wish
            lowered.isChange = true
            try self.wish(lowered)
            return nil
        }
        guard let held, held.mode == .none, held.serial > decided.serialThen else {
            return decided.seen
        }
        try forget(wish)
        settled.dropped.append(wish)
        let name = try username(of: wish.grantee)
        settled.notes.append(
            try notDone(
                of: wish.file,
                "\(name) was taken out meanwhile; `share new` shares it again"
            )
        )
        return nil
    }

    /// What nothing is wanted of here.
    private func settle(
        _ decided: RewoundGrant,
        _ held: Grant?,
        _ settled: inout SettledGrants
    ) throws -> RewoundGrant? {
        let mode = decided.grant.mode
        guard let held, held.serial > decided.serialThen else {
            // That nobody gives him more now is no word about later.
            return decided.seen
        }
        guard held.mode > mode else { return nil }
        guard decided.isNew else {
            let name = try username(of: decided.grantee)
            let told =
                mode == .none
                ? "\(name) was taken out before the server went back, and is in again "
                    + "(\(held.mode)); `share revoke` takes it back"
                : "\(name) had \(mode) when the server went back, and has \(held.mode); "
                    + "`share mode` changes it"
            settled.notes.append(try notDone(of: decided.grant.file, told))
            return nil
        }
        let wish = ShareWish(
            file: decided.grant.file,
            grantee: decided.grantee,
            mode: mode,
            isChange: mode > .none
        )
        try self.wish(wish)
        settled.again.append(wish)
        return nil
    }
}

/// How a transfer took a share back from everybody.
private struct EndByTransfer {
    /// In which step the new owner lost it; 0 where that is not known.
    let step: Int64
    /// In which step each member's grant changed last.
    let changes: [AccountID: Int64]
    /// Whether the transfer was gone through with.
    let isFinal: Bool

    /// Whether it took out this member, too.
    ///
    /// Who was out before the new owner was by somebody's decision, which holds whatever becomes of the
    /// transfer.
    func isAlso(of member: AccountID) -> Bool { changes[member].map { $0 >= step } ?? true }
}

/// What is done about decisions that were gone back behind.
struct SettledGrants {
    /// What is wanted once more.
    var again: [LocalTree.ShareWish] = []
    /// What is wanted no more.
    var dropped: [LocalTree.ShareWish] = []
    var notes: [SyncReport.Note] = []
}

/// The last that was decided of one account in one share, as this device saw it.
private struct RewoundGrant: Equatable {
    let grant: Grant
    /// The serial of the grant to which this device went back; 0 for none.
    let serialThen: UInt64
    /// Whether what the server has since was not looked at yet.
    var isNew = true

    var grantee: AccountID { AccountID(grant.grantee) }

    var seen: Self { Self(grant: grant, serialThen: serialThen, isNew: false) }
}

extension LocalTree {
    /// Keeps these besides what is kept of other accounts and shares.
    private func keepRewound(_ new: [RewoundGrant]) throws {
        let kept = try rewoundGrants().filter { old in
            !new.contains { $0.grant.file == old.grant.file && $0.grantee == old.grantee }
        }
        try setRewound(kept + new)
    }

    private func setRewound(_ grants: [RewoundGrant]) throws {
        guard !grants.isEmpty else { return try set(.rewoundGrants, to: nil) }
        var encoder = CanonicalEncoder()
        encoder.append(UInt32(grants.count))
        for rewound in grants {
            encoder.append(counted: rewound.grant.bytes)
            encoder.append(rewound.serialThen)
            encoder.append(rewound.isNew)
        }
        try set(.rewoundGrants, to: encoder.bytes)
    }

    private func rewoundGrants() throws -> [RewoundGrant] {
        guard let bytes = try setting(.rewoundGrants) else { return [] }
        var decoder = CanonicalDecoder(bytes)
        var grants: [RewoundGrant] = []
        for _ in 0..<(try decoder.uint32()) {
            grants.append(
                RewoundGrant(
                    grant: try Grant(Array(try decoder.counted())),
                    serialThen: try decoder.uint64(),
                    isNew: try decoder.bool("isNew")
                )
            )
        }
        try decoder.finish()
        return grants
    }
}
