import GRDB
import LockbookCrypto
import LockbookModel

/// What is known here of shares that go from one owner to another.
extension LocalTree {
    /// Every file of this account that was given to a member once, also where that has ended.
    func transfers() throws -> [AddressBook.Transfer] {
        try Row.fetchAll(
            db.cachedStatement(sql: "SELECT file, heir, number FROM transfer ORDER BY file")
        )
        .compactMap { row in
            guard let file = FileID(row.bytes(0)), let heir = Hash256(row.bytes(1)) else {
                return nil
            }
            return AddressBook.Transfer(
                file: file,
                heir: AccountID(hash: heir),
                number: UInt32(clamping: row[2] as Int64)
            )
        }
    }

    func transfer(of file: FileID) throws -> AddressBook.Transfer? {
        try transfers().first { $0.file == file }
    }

    /// The live files that this account shares with somebody, or is giving away, with the numbers of
    /// their transfers; 0 for those never given.
    func ownShares() throws -> [FileID: UInt32] {
        let transfers = try transfers()
        let files = try sharedIDs().union(transfers.filter(\.isOpen).map(\.file))
        var shares: [FileID: UInt32] = [:]
        for file in files where try row(file).map({ try !isDead($0) }) ?? false {
            shares[file] = transfers.first { $0.file == file }?.number ?? 0
        }
        return shares
    }

    /// The open transfer of a folder that a file stands in.
    func transferAround(_ row: FileRow) throws -> AddressBook.Transfer? {
        let open = try transfers().filter(\.isOpen)
        guard !open.isEmpty else { return nil }
        var next = row
        while next.id != root, let folder = try self.row(next.parent) {
            if let transfer = open.first(where: { $0.file == folder.id }) { return transfer }
            next = folder
        }
        return nil
    }

    func set(_ transfer: AddressBook.Transfer) throws {
        if transfer.isOpen, try self.transfer(of: transfer.file)?.number ?? 0 < transfer.number {
            try dropSettling(in: transfer.file)
        }
        try db.execute(
            sql: "INSERT OR REPLACE INTO transfer (file, heir, number) VALUES (?, ?, ?)",
            arguments: [
                transfer.file.bytes.data, transfer.heir.hash.bytes.data, Int64(transfer.number),
            ]
        )
    }

    /// Lets go of what an earlier transfer wanted of a file, and of what is in it: nobody has taken over
    /// by this one.
    private func dropSettling(in file: FileID) throws {
        for wish in try wishes() where wish.isSettling && !wish.isFinal {
            let isInside = try row(wish.file).map { try stands($0, in: [file]) } ?? false
            if isInside || wish.file == file { try forget(wish) }
        }
    }

    /// The higher number holds, and of two that are the same the one in the log.
    func takeTransfers(of book: AddressBook) throws {
        for transfer in book.transfers
        where try self.transfer(of: transfer.file)?.number ?? 0 <= transfer.number {
            try set(transfer)
        }
    }

    /// Nobody can take the file over any more, nor what goes with it.
    func end(_ transfer: AddressBook.Transfer) throws {
        for part in try transfer.isOpen ? parts(of: transfer) : [] { try endAlone(part) }
        try endAlone(transfer)
    }

    private func endAlone(_ transfer: AddressBook.Transfer) throws {
        var transfer = transfer
        transfer.number += 1
        try set(transfer)
        guard let row = try row(transfer.file), !row.isDamaged, try !isDead(row) else { return }
        try dropOffer(in: row)
    }

    /// Tells the member of it, where that is not in the shared file yet, or is there no more.
    func tell(_ transfer: AddressBook.Transfer, on row: FileRow) throws {
        var mark = try mark(of: row)
        mark.offer = try TransferOffer(
            of: transfer.file,
            to: transfer.heir,
            number: transfer.number,
            created: environment.now(),
            by: keys
        )
        try put(mark, on: row)
    }

    /// The living files whose records offer what nobody is offered any more: they were deleted when that
    /// ended, and are back, or who may write there put it in again.
    func filesWithEndedOffers() throws -> [FileRow] {
        try transfers().compactMap { transfer in
            guard !transfer.isOpen, let row = try row(transfer.file), try !isDead(row),
                try mark(of: row).offer != nil
            else { return nil }
            return row
        }
    }

    func dropOffer(in row: FileRow) throws {
        var mark = try mark(of: row)
        mark.offer = nil
        try put(mark, on: row)
    }

    func isTold(_ transfer: AddressBook.Transfer, on row: FileRow) throws -> Bool {
        let offer = try mark(of: row).offer
        return offer?.number == transfer.number && offer?.heir == transfer.heir
            && offer?.source == LinkTarget(owner: owner, file: row.id)
    }

    // MARK: Marks

    /// What the body of a file says besides: nothing where it, or a folder above it, does not open.
    ///
    /// Whoever shares something may see to that, and keeps nobody from anything else by it.
    func mark(of row: FileRow) throws -> FileMark {
        guard !row.isDamaged, let file = try opened(row) else { return FileMark() }
        return FileMark(reading: file.bodyExtension)
    }

    private func put(_ mark: FileMark, on row: FileRow) throws {
        guard var file = try opened(row) else { return }
        file.bodyExtension = mark.bytes
        try put(file)
    }

    /// What another account's shared file offers this one to take over.
    func offer(on row: FileRow) throws -> TransferOffer? {
        guard let offer = try mark(of: row).offer, offer.heir == author,
            offer.source == LinkTarget(owner: owner, file: row.id)
        else { return nil }
        return offer
    }

    /// What is offered to be taken over by itself, by file.
    func given() throws -> [FileID: TransferOffer] {
        guard isForeign else { return [:] }
        var given: [FileID: TransferOffer] = [:]
        for file in try held().keys {
            guard let row = try row(file), !row.isDeleted, let offer = try offer(on: row),
                try !isOfferedWithMore(row)
            else { continue }
            given[file] = offer
        }
        return given
    }

    /// Whether something that this account sees is being given to somebody, as far as it opens.
    func mayGive() throws -> Bool {
        try held().keys.contains { file in
            guard let row = try row(file) else { return false }
            guard !row.isDamaged, try opened(row) != nil else { return true }
            return try mark(of: row).offer != nil
        }
    }

    /// A shared file that continues what somebody else shared before.
    struct Successor {
        let row: FileRow
        /// What it continues, the last owner's first.
        let sources: [Succession]

        /// By which of the owner's transfers it continues a file; nil where it does not.
        func number(of target: LinkTarget) -> UInt32? {
            sources.first { $0.offer.source == target }?.offer.number
        }
    }

    /// Those of this tree that this account may see, in an order that is everybody's.
    func successors() throws -> [Successor] {
        var files = Set(try allGrants().map(\.file))
        if isForeign {
            var known = KnownRights()
            files = try files.filter { try right(in: $0, &known) > .none }
        } else {
            files.formUnion(try wishes().map(\.file))
        }
        return try files.sorted().compactMap { try successor($0) }
    }

    /// A file that continues others; nil for what is none, and in the trash.
    func successor(_ file: FileID) throws -> Successor? {
        guard let row = try row(file), try !isDead(row) else { return nil }
        let sources = try mark(of: row).sources(of: LinkTarget(owner: owner, file: file))
        return sources.isEmpty ? nil : Successor(row: row, sources: sources)
    }

    // MARK: Links

    /// A share of another account's that was taken back.
    struct EndedShare {
        let source: LinkTarget
        /// Which offer to give it away stood in it then; 0 for none.
        let offer: UInt32
        /// The link that led to it; nil where none did.
        let link: FileID?
    }

    func endedShares() throws -> [EndedShare] {
        try Row.fetchAll(
            db.cachedStatement(sql: "SELECT file, owner, link, offer FROM ended ORDER BY file")
        )
        .compactMap { row in
            guard let file = FileID(row.bytes(0)), let owner = Hash256(row.bytes(1)),
                let link = FileID(row.bytes(2))
            else { return nil }
            return EndedShare(
                source: LinkTarget(owner: AccountID(hash: owner), file: file),
                offer: UInt32(clamping: row[3] as Int64),
                link: link
            )
        }
    }

    /// Notes where a link stood, for what may continue its share.
    ///
    /// Without an offer in it nothing ever does: each sync would look for that, and most shares end so.
    func noteEnd(of share: EndedShare) throws {
        guard let link = share.link else { return }
        // Those are of an earlier program.
        try db.execute(
            sql: "DELETE FROM ended WHERE file = ? OR offer = 0",
            arguments: [share.source.file.bytes.data]
        )
        guard share.offer > 0 else { return }
        try db.execute(
            sql: "INSERT INTO ended (file, owner, link, offer) VALUES (?, ?, ?, ?)",
            arguments: [
                share.source.file.bytes.data, share.source.owner.hash.bytes.data,
                link.bytes.data, Int64(share.offer),
            ]
        )
    }

    func forgetEnd(of source: LinkTarget) throws {
        try db.execute(
            sql: "DELETE FROM ended WHERE file = ?",
            arguments: [source.file.bytes.data]
        )
    }

    /// Makes a link where something else stood, under its name.
    func link(to target: LinkTarget, inPlaceOf old: FileRow?, named title: FileName) throws
        -> FileRow
    {
        var folder = try rootRow()
        var name = title
        if let old, !old.isDamaged {
            name = try file(old).name
            if let place = try row(old.parent), try !isDead(place), try scope(of: place) == root {
                folder = place
            }
        }
        var link = try newFile(try freeName(name, in: folder), type: .link, in: folder)
        link.target = target
        return try make(link)
    }
}
