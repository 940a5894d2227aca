import GRDB
import LockbookAPI
import LockbookCrypto
import LockbookModel

/// What ended while this device was away, or in the middle of a sync.
extension Sync {
    /// Whether something came from others before all was pushed: it is settled before the next try.
    ///
    /// A right may end while something is on its way that takes it: the server refuses that. Where
    /// nothing new is told, the refusal stands, for what it is about.
    mutating func isBehindAfterPushing(fetching isAccepted: Bool) async throws -> Bool {
        do {
            guard try await pushAll() else {
                try await pullWhatWasFirst()
                return true
            }
            if isAccepted { try await fetchContents() }
            return false
        } catch let error where Self.isMissing(error) {
            if try await pullNews() { return true }
            guard error.refusal != nil || error is MissingContent, !leavesOut else {
                throw error
            }
            leavesOut = true
            return try await isBehindAfterPushing(fetching: isAccepted)
        }
    }

    /// Lets go of what was taken back before anything of it came here.
    ///
    /// The server would refuse to tell of it. It is followed anew when something is offered again.
    mutating func dropEnded() throws {
        let offered = Set(offers.compactMap { AccountCertificate.account(namedIn: $0) })
        let empty = others.filter { !$0.isBegun }.map(\.store.context.owner) + vainBefore
        for owner in empty where !offered.contains(owner) {
            try store.write { try $0.unfollow(owner) }
        }
        others.removeAll { !$0.isBegun && !offered.contains($0.store.context.owner) }
        vainBefore.removeAll { !offered.contains($0) }
    }

    /// Whether an earlier sync was killed before it put right what had ended, or was renamed.
    func isUnsettled(_ other: LocalStore) throws -> Bool {
        try !endedLinks(to: other).isEmpty
            || other.read { tree in
                try !tree.stranded().isEmpty || !tree.leftOver().isEmpty || tree.hasNamesGivenUp()
            }
    }

    /// What links lead to that was taken back.
    ///
    /// Such a link was taken out of the trash, or stayed when an earlier sync was killed. Of a link
    /// that came with this sync the log may not tell yet. Of a target that was never here nobody can
    /// say that it ended: a server that keeps a share from a new device would have its link deleted.
    func endedLinks(to other: LocalStore) throws -> Set<FileID> {
        let owner = other.context.owner
        let links = linksBefore(to: owner)
        guard !links.isEmpty else { return [] }
        return try other.read { tree in
            try tree.notHeld(Set(links.keys)).filter { try tree.wasHeld($0) }
        }
    }

    /// The links to what an account shares that were there when this sync began, by what they lead to.
    func linksBefore(to owner: AccountID) -> [FileID: ShareLink] {
        Dictionary(
            linksBefore.filter { $0.target.owner == owner }.map { ($0.target.file, $0) },
            uniquingKeysWith: { first, _ in first }
        )
    }

    /// Asks for a log from its beginning where a link leads to what never came here.
    ///
    /// An earlier answer may have kept something back. Only where the log has no news, which would
    /// bring it, and once for each newest entry. It has to reach that entry again. Read in a copy
    /// first: gone back to before everything, all that its owner shares counts as new until it came.
    /// Where the copy shows it, all is asked for once more: the answers may be more than memory holds,
    /// and the copy, which has no bytes of contents and no commands, cannot take the store's place.
    mutating func beginAnewWhereMissing(_ index: Int) async throws {
        let other = others[index].store
        guard !options.acceptsRollback, others[index].isBegun,
            let update = others[index].update
        else { return }
        let targets = linksBefore(to: other.context.owner).keys
        guard !targets.isEmpty, try !update.hasNews(for: other) else { return }
        let missing = try other.read { tree in
            let missing = try tree.notHeld(Set(targets)).filter { try !tree.wasHeld($0) }
            let isRead = try tree.setting(.readAnew) == tree.setting(.head)
            return try isRead || tree.hasSomethingToSend() ? [] : missing
        }
        guard !missing.isEmpty else { return }
        let isShown: Bool
        do { isShown = try await shows(missing, other) } catch LockbookError.store(_, .full) {
            // Nothing else may have to be written, and the next sync tries it again.
            return
        } catch is UnreadableLog {
            // Nothing there is shared with this account any more: what was told of that stands.
            isShown = false
        } catch let error where error.refusal != nil {
            // That says nothing of the log.
            return
        }
        guard isShown else { return try noteReadAnew(index) }
        let isRewound = try other.write { tree in
            // Somebody may have written there meanwhile.
            guard try !tree.hasSomethingToSend() else { return false }
            _ = try tree.rewind(to: nil, isLost: false)
            return true
        }
        guard isRewound else { return }
        others[index].isBegun = false
        others[index].update = nil
    }

    /// Whether a log that is read from its beginning shows any of these files, tried on a copy.
    private func shows(_ files: Set<FileID>, _ other: LocalStore) async throws -> Bool {
        let copy = try other.rehearsal()
        try copy.write { _ = try $0.rewind(to: nil, isLost: false) }
        var sync = within(copy)
        sync.options.isDryRun = true
        sync.options.acceptDeletions = true
        try await sync.pull()
        return try copy.read { try $0.notHeld(files) } != files
    }

    /// What was just read from its beginning has nothing more to say till its next entry.
    func noteReadAnew(_ index: Int) throws {
        guard !others[index].isBroken else { return }
        try others[index].store.write { try $0.set(.readAnew, to: $0.setting(.head)) }
    }

    /// Of a log in which nothing is shared with this account any more, nothing can be gone back to:
    /// it is followed anew when something is offered again.
    func forgetEmpty(_ other: LocalStore) throws -> Bool {
        guard try other.read({ try $0.held().isEmpty }) else { return false }
        try other.write { _ = try $0.rewind(to: nil) }
        try store.write { try $0.unfollow(other.context.owner) }
        return true
    }
}

extension LocalTree {
    /// Of these files those that this account neither holds nor waits for.
    fileprivate func notHeld(_ files: Set<FileID>) throws -> Set<FileID> {
        let (held, missed) = (try held(), try missed())
        return files.filter { held[$0] == nil && missed[$0] == nil }
    }

    /// Whether this account was told that a share of it ended, or had what it is of and was told to
    /// let go of that.
    fileprivate func wasHeld(_ file: FileID) throws -> Bool {
        if try isOwnerGone() { return true }
        let told = try grants(of: file).filter { AccountID($0.grantee) == author }
        if told.contains(where: { $0.mode == .none }) { return true }
        return try Bool.fetchOne(
            db.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM rewound WHERE file = ?)"),
            arguments: [file.bytes.data]
        ) ?? false
    }

    /// What stands at the top of another account's store and may not be seen any more: an earlier
    /// sync was killed before it let go of it.
    func leftOver() throws -> Set<FileID> {
        guard isForeign else { return [] }
        let held = try held()
        let missed = try missed()
        let view = PageView(tree: self)
        return try Set(
            children(of: root).map(\.id).filter { top in
                try missed[top] == nil && !view.scopes(around: top).contains { held[$0] != nil }
            }
        )
    }
}
