import LockbookCrypto
import LockbookModel

/// What this device wanted of a share that another device has given to its new owner meanwhile.
extension Sync {
    /// Does in the share that goes on what this device wanted of the old one, before that is
    /// compared with the old one, which is taken back from everybody.
    /// - Parameter isLate: whether the logs of others were not read since the own one was.
    mutating func carryOvertaken(isLate: Bool = false) throws {
        guard !store.context.isForeign else { return }
        try tellCancelled()
        for transfer in try store.read({ try $0.overtakenTransfers() }) {
            guard let (index, target) = try continuation(of: transfer) else {
                let isUnread = others.contains {
                    $0.store.context.owner == transfer.heir && $0.isBroken
                }
                if isLate || isUnread { try leaveToNext(transfer) }
                continue
            }
            try carryMembers(of: transfer, to: target, in: others[index])
            let dropped = try store.write { try $0.dropWishes(overtakenBy: transfer) }
            report.note(once: dropped)
        }
    }

    /// Lets go of what was wanted of who owns the share now, and says so.
    mutating func leaveOwner(of transfer: AddressBook.Transfer, _ owner: AccountID) throws {
        let wishes = try store.read { tree in
            try tree.wishes().filter {
                $0.file == transfer.file && !$0.isSettling
                    && ($0.grantee == transfer.heir || $0.grantee == owner)
            }
        }
        guard !wishes.isEmpty else { return }
        try tellOwner(of: transfer.file, owner)
        try store.write { tree in
            for wish in wishes { try tree.forget(wish) }
        }
    }

    /// Tells of transfers that this device took back when another one had finished them.
    private mutating func tellCancelled() throws {
        let files = Set(cancelledBefore.map(\.file))
        for transfer in cancelledBefore {
            let isPart = try store.read { tree in
                try tree.row(transfer.file).map { try tree.stands($0, in: files) } ?? false
            }
            guard !isPart else { continue }
            let isFinished = try store.read { tree in
                try tree.agreedBook()?.transfers.contains(transfer) ?? false
                    && tree.isGone(transfer.file)
            }
            guard isFinished, let (_, target) = try continuation(of: transfer) else { continue }
            try tellOwner(of: transfer.file, target.owner)
        }
    }

    private mutating func tellOwner(of file: FileID, _ owner: AccountID) throws {
        let (path, name) = try store.read { tree in
            (try tree.shownPath(of: file), try tree.username(of: owner))
        }
        try noteNews(
            .notDone,
            file,
            path,
            "what you wanted of it is not done, because it has another owner now, \(name)"
        )
    }

    /// Leaves to the next sync what is wanted of a share whose new owner's log is not known so far.
    private mutating func leaveToNext(_ transfer: AddressBook.Transfer) throws {
        let wishes = try store.read { tree in
            try tree.wishes().filter {
                $0.file == transfer.file && !$0.isSettling
                    && ($0.mode == .none || $0.isChange || !transfer.isOpen)
            }
        }
        guard !wishes.isEmpty else { return }
        putOff[transfer.file, default: []].formUnion(wishes.map(\.grantee))
        note(
            .notPushed,
            transfer.file,
            try store.read { try $0.shownPath(of: transfer.file) },
            "what you wanted of it waits for the next sync, because it has another owner now"
        )
    }

    /// What goes on where this account has let go of it: with who was given it, or with who has it
    /// from him.
    private func continuation(of transfer: AddressBook.Transfer) throws
        -> (index: Int, target: LinkTarget)?
    {
        let source = LinkTarget(owner: store.context.owner, file: transfer.file)
        // One that was never offered has no successors; whoever writes the book may say that it was ended.
        let number = transfer.isOpen ? transfer.number : transfer.number &- 1
        func isHeir(_ index: Int) -> Bool { others[index].store.context.owner == transfer.heir }
        let readable = others.indices.filter { !others[$0].isBroken }
        for index in readable.filter(isHeir) + readable.filter({ !isHeir($0) }) {
            let found = try others[index].store.read { tree in
                try tree.successors().first { $0.number(of: source) == number }
            }
            guard let found else { continue }
            let owner = others[index].store.context.owner
            return (index, LinkTarget(owner: owner, file: found.row.id))
        }
        return nil
    }
}

extension LocalTree {
    /// Those that were taken back here, and the log does not know it yet.
    func cancelledTransfers() throws -> [AddressBook.Transfer] {
        guard !isForeign else { return [] }
        let ended = try transfers().filter { !$0.isOpen }
        guard !ended.isEmpty, let agreed = try agreedBook() else { return [] }
        return try ended.filter { transfer in
            try !isGone(transfer.file)
                && agreed.transfers.contains {
                    $0.file == transfer.file && $0.number < transfer.number
                }
        }
    }

    /// Those of files that more is wanted of here, and that another device has taken back from
    /// everybody.
    fileprivate func overtakenTransfers() throws -> [AddressBook.Transfer] {
        let wished = Set(try wishes().filter { !$0.isSettling }.map(\.file))
        guard !wished.isEmpty else { return [] }
        return try transfers().filter { try wished.contains($0.file) && isTakenBack($0) }
    }

    /// Whether nobody sees a share any more that was given away, as the log says.
    ///
    /// One that its owner has restored since is a folder of his alone, which he may share anew.
    func isTakenBack(_ transfer: AddressBook.Transfer) throws -> Bool {
        guard transfer.isOpen else {
            return try isGone(transfer.file)
                && grants(of: transfer.file).allSatisfy { $0.mode == .none }
        }
        return try grants(of: whole(of: transfer).file).contains {
            AccountID($0.grantee) == transfer.heir && $0.mode == .none
        }
    }

    /// Lets go of what was wanted of a share that goes on, when that was done there.
    ///
    /// Whom this account wanted to let in, its new owner has not heard of.
    fileprivate func dropWishes(overtakenBy transfer: AddressBook.Transfer) throws
        -> [SyncReport.Note]
    {
        for wish in try wishes()
        where wish.file == transfer.file && !wish.isSettling
            && (wish.mode == .none || wish.isChange)
        {
            try forget(wish)
        }
        guard !transfer.isOpen, let row = try row(transfer.file) else { return [] }
        return try keepUntold(more: dropOpenWishes(on: row))
    }

    fileprivate func isGone(_ file: FileID) throws -> Bool {
        try row(file).map { try isDead($0) } ?? true
    }
}
