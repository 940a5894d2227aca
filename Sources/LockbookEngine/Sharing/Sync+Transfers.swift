import LockbookCrypto
import LockbookModel

extension Succession {
    /// Whether what it continues is still there, and still given for that: until its owner lets go of
    /// it, that holds.
    /// - Parameter others: the store of what an account shares.
    func isAhead(of own: LocalStore, _ others: (AccountID) throws -> LocalStore?) throws -> Bool {
        let source = offer.source
        guard source.owner != own.context.author else {
            return try own.read { tree in
                guard let transfer = try tree.transfer(of: source.file) else { return false }
                return transfer.isOpen && transfer.number == offer.number
            }
        }
        return try others(source.owner)?.read { tree in
            guard try tree.held()[source.file] != nil, let row = try tree.row(source.file) else {
                return false
            }
            // Its owner takes the offer out of the record when it is taken back.
            guard !row.isDamaged, try tree.opened(row) != nil else { return true }
            return try tree.mark(of: row).offer?.number == offer.number
        } ?? false
    }
}

/// Shares that go from one owner to another: the new one has made his copy, this account lets go of
/// its own when it has seen that, and the links of the others go over.
extension Sync {
    func isAhead(_ succession: Succession) throws -> Bool {
        try succession.isAhead(of: store) { owner in
            others.first { $0.store.context.owner == owner }?.store
        }
    }

    /// Tells what the owner of a share gives to this account since it was last looked at.
    mutating func noteGiven(by shared: LocalStore, before: [FileID: TransferOffer]) throws {
        let owner = shared.context.owner
        guard try !store.read({ try $0.isBlocked(owner) }) else { return }
        let after = try shared.read { try $0.given() }
        // What another device of this account has taken over waits for nobody here.
        let taken = try store.read { try $0.successors() }
        for (file, offer) in after.sorted(by: { $0.key < $1.key })
        where before[file]?.number != offer.number
            && !taken.contains(where: { $0.number(of: offer.source) == offer.number })
        {
            let title = try shared.read { tree in
                try tree.row(file).map { try tree.shownTitle(of: $0).text } ?? "\(file)"
            }
            let link = try store.read { try $0.links(to: owner)[file]?.path }
            let name = try shared.read { try $0.username(of: owner) }
            try noteNews(.given, file, link ?? title, name)
        }
    }

    // MARK: The earlier owner

    /// Takes shares back from everybody that their new owners have copied, and tells those of their
    /// offer who were not told.
    mutating func beginTransfers() throws {
        guard !store.context.isForeign else { return }
        try settleSecondSuccessors()
        try settleHeirs()
        try carryOvertaken()
        for row in try store.read({ try $0.filesWithEndedOffers() }) {
            try store.write { try $0.dropOffer(in: row) }
        }
        for transfer in try store.read({ try $0.wholeTransfers() }) {
            let successor = try successor(of: transfer)
            let followed = try carryMembers(ofAll: transfer)
            let given = try store.write { [followed] tree -> [SyncReport.Note] in
                let row = try tree.row(transfer.file)
                // What was deleted after it was taken over goes on with who has it now.
                if successor == nil || row == nil, let notes = try tree.endVain(transfer) {
                    return notes
                }
                guard successor == nil else { return try tree.takeBack(transfer, followed) }
                try tree.endPartsOfNobody(in: transfer)
                for told in try [transfer] + tree.parts(of: transfer) {
                    guard let row = try tree.row(told.file), !row.isDamaged,
                        try !tree.isDead(row) && !tree.isTold(told, on: row)
                    else { continue }
                    try tree.tell(told, on: row)
                }
                return []
            }
            report.note(once: given)
        }
    }

    /// Does in the copies what another device decided of members, and pushed while this one was about to
    /// take all back: when that is in the log, nobody can tell the one from the other.
    mutating func carryMeanwhile() throws {
        guard !store.context.isForeign else { return }
        for transfer in try store.read({ try $0.wholeTransfers() }) {
            _ = try carryMembers(ofAll: transfer)
        }
    }

    /// - Returns: the files whose members see what continues them; none where nobody has made a copy.
    private mutating func carryMembers(ofAll whole: AddressBook.Transfer) throws -> Set<FileID> {
        guard let (index, target) = try successor(of: whole) else { return [] }
        var followed: Set<FileID> = [whole.file]
        try carryMembers(of: whole, to: target, in: others[index])
        for part in try store.read({ try $0.parts(of: whole) }) {
            guard let (index, copy) = try successor(of: part) else { continue }
            followed.insert(part.file)
            try carryMembers(of: part, to: copy, in: others[index])
        }
        return followed
    }

    /// Where nobody sees a share any more that somebody else continues: brings over what was
    /// written since, puts what is left into the trash, and a link in its place.
    /// - Returns: whether there is something to push.
    mutating func finishTransfers() async throws -> Bool {
        guard !store.context.isForeign else { return false }
        var isChanged = false
        for transfer in try store.read({ try $0.wholeTransfers() }) {
            // What a new owner made of one keeps nothing else from being synced.
            try await keepingApart {
                if try await $0.finish(transfer) { isChanged = true }
            }
        }
        return isChanged
    }

    /// - Returns: whether the account let go of it.
    private mutating func finish(_ transfer: AddressBook.Transfer) async throws -> Bool {
        var kept: [CarriedOver.Kept] = []
        while true {
            if let isDone = try await finish(transfer, &kept) { return isDone }
        }
    }

    /// - Parameter kept: what was brought over so far beside another content.
    /// - Returns: nil where something was changed here meanwhile, which is to be brought over as well.
    private mutating func finish(
        _ transfer: AddressBook.Transfer,
        _ kept: inout [CarriedOver.Kept]
    ) async throws -> Bool? {
        guard let (index, target) = try successor(of: transfer) else {
            // What this sync itself moved is in another share only now.
            let vain = try store.write { try $0.endVain(transfer) }
            report.notes += vain ?? []
            return vain != nil
        }
        guard try store.read({ try $0.isLetGo(transfer) }) else { return false }
        // Of what its owner has deleted nothing is left to bring over.
        let isDeleted = try store.write { tree in
            if let row = try tree.row(transfer.file), try !tree.isDead(row) { return false }
            try tree.end(transfer)
            return true
        }
        guard !isDeleted else { return true }
        let (carried, state) = try await carryOver(
            transfer.file,
            to: target.file,
            in: others[index]
        )
        kept += carried.kept
        guard let state else {
            try noteKept(kept, by: transfer.heir)
            return false
        }
        let links = try store.read { try $0.links(to: transfer.heir) }
        let done = try store.write { tree in
            try tree.mark() == state
                ? tree.letGo(transfer, to: target, links[target.file], keeping: carried.top) : nil
        }
        guard let (path, copy) = done else { return nil }
        try noteKept(kept, by: transfer.heir)
        if let copy { note(.keptOwn, transfer.file, copy, path) }
        try noteNews(.transferred, target.file, path, try username(of: transfer.heir))
        return true
    }

    /// Tells what stands beside another content in the new share.
    private mutating func noteKept(_ kept: [CarriedOver.Kept], by heir: AccountID) throws {
        let links = try store.read { try $0.links(to: heir) }
        report.notes += kept.map { copy in
            SyncReport.Note(
                kind: .keptBoth,
                id: copy.id.description,
                path: SharedPath.own(copy.path, links),
                detail: SharedPath.own(copy.of, links)
            )
        }
    }

    private func username(of account: AccountID) throws -> String {
        try store.read { try $0.username(of: account) }
    }

    /// What the account has made of what it was given, where it can be written to.
    private func successor(of transfer: AddressBook.Transfer) throws
        -> (index: Int, target: LinkTarget)?
    {
        guard
            let index = others.firstIndex(where: { $0.store.context.owner == transfer.heir }),
            !others[index].isBroken
        else { return nil }
        let source = LinkTarget(owner: store.context.owner, file: transfer.file)
        let type = try store.read { try $0.row(transfer.file)?.type }
        return try others[index].store.read { tree in
            try tree.successors().first { successor in
                let offer = successor.sources.first?.offer
                return try offer?.source == source && offer?.number == transfer.number
                    && type.map { $0 == successor.row.type } ?? true
                    && tree.right(in: successor.row.id) >= .write
            }.map { (index, LinkTarget(owner: transfer.heir, file: $0.row.id)) }
        }
    }

    /// - Returns: also the state of this account's tree of which it was done; nil where the server has not
    ///   given all that it has of that: what it has lost stays in the old share, and what it cannot give
    ///   now is waited for.
    private mutating func carryOver(_ file: FileID, to target: FileID, in other: SharedLog)
        async throws -> (CarriedOver, SealedState.Mark?)
    {
        let store = store
        func carry() throws -> (CarriedOver, SealedState.Mark) {
            try store.read { source in
                let carried = try other.store.write { tree in
                    guard let row = try source.row(file), let newTop = try tree.row(target) else {
                        return CarriedOver()
                    }
                    return try tree.carryOver(row, of: source, to: newTop)
                }
                return (carried, try source.mark())
            }
        }
        let (first, state) = try carry()
        guard !first.absent.isEmpty else { return (first, state) }
        let isWhole = try await fetchEach(rereading: false) { tree in
            try first.absent.filter { try !tree.canRead($0.blob) }
                .map { (name: $0.blob, size: $0.size) }
        }
        var (second, after) = try carry()
        second.kept = first.kept + second.kept
        return (second, isWhole ? after : nil)
    }
}
