import GRDB
import LockbookCrypto
import LockbookModel

/// Which offer to give it away stood in what another account shared when that was taken back: only what
/// was made for that one continues it.
extension LocalTree {
    /// Notes the offers in what a page takes away, whose last records it does not merge.
    /// - Parameter gone: what the page takes out of the store.
    func noteLastOffers(of shares: ShareNews?, _ gone: Set<FileID>) throws {
        guard isForeign, let shares else { return }
        let held = try held()
        // What is held here again has another end, though a device was killed after the one before.
        for file in try filesWithLastOffers() where held[file] != nil {
            try forgetLastOffer(of: file)
        }
        for file in held.keys where shares.last[file] != nil || gone.contains(file) {
            guard let row = try row(file) else { continue }
            let mark = try shares.last[file].flatMap { try openMark(of: $0, row) }
            let offer = try mark.map { number(ofOfferIn: $0, file) } ?? offer(in: row)
            try db.execute(
                sql: "INSERT OR REPLACE INTO last_offer (file, number) VALUES (?, ?)",
                arguments: [file.bytes.data, Int64(offer)]
            )
        }
    }

    /// The number of the offer that stood last in what was taken back; 0 where none did, and where
    /// others have it still: who gives it away takes it back from everybody at once.
    func lastOffer(of file: FileID) throws -> UInt32 {
        let row = try row(file)
        let isOthers = try grants(of: file).contains {
            $0.mode > .none && AccountID($0.grantee) != author
        }
        if row != nil, isOthers, try !isOwnerGone() { return 0 }
        let noted = try Int64.fetchOne(
            db.cachedStatement(sql: "SELECT number FROM last_offer WHERE file = ?"),
            arguments: [file.bytes.data]
        )
        return try noted.map { UInt32(clamping: $0) } ?? row.map { try offer(in: $0) } ?? 0
    }

    private func filesWithLastOffers() throws -> [FileID] {
        try Row.fetchAll(db.cachedStatement(sql: "SELECT file FROM last_offer"))
            .compactMap { FileID($0.bytes(0)) }
    }

    func forgetLastOffer(of file: FileID) throws {
        try db.execute(
            sql: "DELETE FROM last_offer WHERE file = ?",
            arguments: [file.bytes.data]
        )
    }

    private func offer(in row: FileRow) throws -> UInt32 {
        number(ofOfferIn: try mark(of: row), row.id)
    }

    private func number(ofOfferIn mark: FileMark, _ file: FileID) -> UInt32 {
        guard let offer = mark.offer, offer.source == LinkTarget(owner: owner, file: file) else {
            return 0
        }
        return offer.number
    }

    /// What a record says that takes the place of a file's; nil where it does not open.
    private func openMark(of record: FileRecord, _ row: FileRow) throws -> FileMark? {
        do {
            let key = try key(of: record) { try folderKeys(above: row) }
            return FileMark(reading: try record.file(key: key).bodyExtension)
        } catch is DamagedRecord {
            return nil
        }
    }
}
