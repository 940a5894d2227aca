import LockbookCrypto
import LockbookModel

/// Shares inside of what is given away: each goes with it, by an offer of its own.
///
/// So who has one of them alone is led to what continues that, and is told nothing of what is around it.
extension LocalTree {
    /// The living files inside of another one that are shared by themselves, or are to be.
    func sharesInside(_ file: FileID) throws -> [FileRow] {
        let shared = try allGrants().filter { $0.mode > .none }.map(\.file)
        let wished = try wishes().filter { $0.mode > .none }.map(\.file)
        return try Set(shared + wished).sorted().compactMap { id in
            guard let row = try row(id), try stands(row, in: [file]), try !isDead(row) else {
                return nil
            }
            return row
        }
    }

    /// Whether a file stands in one of these folders, itself not counted.
    func stands(_ row: FileRow, in folders: Set<FileID>) throws -> Bool {
        var next = row
        while next.id != root, let folder = try self.row(next.parent) {
            if folders.contains(folder.id) { return true }
            next = folder
        }
        return false
    }

    /// With what a transfer goes: that of the outermost folder around its file that the same account is
    /// given; for most it is that one itself.
    func whole(of transfer: AddressBook.Transfer) throws -> AddressBook.Transfer {
        var whole = transfer
        while let row = try row(whole.file), let outer = try transferAround(row),
            outer.heir == transfer.heir
        {
            whole = outer
        }
        return whole
    }

    /// Those that go with this one.
    func parts(of whole: AddressBook.Transfer) throws -> [AddressBook.Transfer] {
        try transfers().filter { part in
            guard part.isOpen, part.heir == whole.heir, part.file != whole.file,
                let row = try row(part.file)
            else { return false }
            return try stands(row, in: [whole.file])
        }
    }

    /// The open transfers that go with no other one.
    func wholeTransfers() throws -> [AddressBook.Transfer] {
        try transfers().filter { try $0.isOpen && whole(of: $0) == $0 }
    }

    /// What is shared inside of what is given, and does not go with it: another device shared it, or moved
    /// it there, before it knew.
    func shareLeftOut(of whole: AddressBook.Transfer) throws -> FileRow? {
        let parts = Set(try parts(of: whole).map(\.file))
        return try sharesInside(whole.file).first { !parts.contains($0.id) }
    }

    /// Ends those that go with this one and have nobody left who has them, as long as nothing was begun.
    func endPartsOfNobody(in whole: AddressBook.Transfer) throws {
        guard try !isTakenBack(whole) else { return }
        let wished = try wishes().filter { $0.mode > .none }
        for part in try parts(of: whole) {
            let isShared = try grants(of: part.file).contains { $0.mode > .none }
            guard !isShared, !wished.contains(where: { $0.file == part.file }) else { continue }
            try end(part)
        }
    }

    /// Takes all that is given back from everybody, by the next push.
    /// - Parameter followed: files whose members see what continues them.
    /// - Returns: what there is to say of those whom the new owner has to let in.
    func takeBack(_ whole: AddressBook.Transfer, _ followed: Set<FileID>) throws
        -> [SyncReport.Note]
    {
        let files = Set(
            [whole.file] + (try parts(of: whole).map(\.file))
                + (try sharesInside(whole.file).map(\.id))
        )
        let leaving = try wishes().filter { $0.mode == .none }
        var notes: [SyncReport.Note] = []
        for row in try files.sorted().compactMap({ try row($0) }) {
            for grant in try grants(of: row.id) where grant.mode > .none {
                let grantee = AccountID(grant.grantee)
                // What was decided of him stays that: the transfer may end before anything is done of it.
                guard !leaving.contains(where: { $0.file == row.id && $0.grantee == grantee })
                else { continue }
                try wish(
                    ShareWish(file: row.id, grantee: grantee, mode: .none, isSettling: true)
                )
                guard !followed.contains(row.id), grantee != whole.heir,
                    try !isDead(row)
                else { continue }
                notes.append(try leftToNewOwner(grantee, row))
            }
            notes += try dropOpenWishes(on: row)
        }
        return try keepUntold(more: notes)
    }

    /// Whether a file was to be taken back for a transfer that has ended since, and is its owner's still.
    func isKept(_ file: FileID) throws -> Bool {
        guard let row = try row(file), try !isDead(row), try transferAround(row) == nil else {
            return false
        }
        return try transfer(of: file)?.isOpen != true
    }

    /// Whether an entry that takes it back from its new owner is on its way: a sync was cut off.
    func mayBeTakenBack(_ transfer: AddressBook.Transfer) throws -> Bool {
        guard let pending = try pending(), try wasOffered() else { return false }
        return pending.groups.flatMap(\.grants).contains {
            $0.file == transfer.file && $0.mode == .none
                && AccountID($0.grantee) == transfer.heir
        }
    }

    /// Whether nobody sees anything of it any more, nor is to.
    func isLetGo(_ whole: AddressBook.Transfer) throws -> Bool {
        let files = Set([whole.file] + (try parts(of: whole).map(\.file)))
        let isSeen = try files.contains { file in
            try grants(of: file).contains { $0.mode > .none }
        }
        return try !isSeen && sharesInside(whole.file).isEmpty
            && !wishes().contains { files.contains($0.file) }
    }

    // MARK: The new owner

    /// Whether what is offered to this account is offered with what it stands in.
    func isOfferedWithMore(_ row: FileRow) throws -> Bool {
        var next = row
        while next.id != root, let folder = try self.row(next.parent), folder.id != root {
            if try offer(on: folder) != nil { return true }
            next = folder
        }
        return false
    }

    /// What this account made of what it was given, also where that goes with more and nobody else has it.
    /// - Parameter isAround: whether a file that the same account gave is around it: only in the copy of one
    ///   that is it is looked for.
    func copy(
        of source: LinkTarget,
        by number: UInt32,
        isAround: (FileID) throws -> Bool = { _ in true }
    ) throws -> FileRow? {
        let all = try successors()
        if let found = all.first(where: { $0.number(of: source) == number }) { return found.row }
        // Rare enough: the copy is looked through.
        for whole in all {
            guard let given = whole.sources.first?.offer.source, given.owner == source.owner,
                try isAround(given.file)
            else { continue }
            for row in try subtree(of: whole.row) {
                let first = try sources(of: row).first?.offer
                if first?.source == source, first?.number == number { return row }
            }
        }
        return nil
    }
}
