import FoundationEssentials
import LockbookAPI
import LockbookCrypto
import LockbookModel

/// A part of a log, checked: every header in its chain and signed, every record as listed.
struct VerifiedPage {
    /// The last entry of this page.
    let newest: EntryHeader
    var head: LogHead { LogHead(newest) }
    /// The newest record of every file that the page changes.
    let records: [FileID: FileRecord]
    /// How many records its entries list.
    let listed: Int
    /// Its entries, oldest first; none of a checkpoint's state.
    let entries: [EntryHeader]
    /// The entry that lists the newest record of a file; none of a checkpoint's state.
    let origins: [FileID: EntryHeader]
    /// Files that these entries purge; of a checkpoint's state they are those it does not have.
    let purged: Set<FileID>
    /// Whether this is all of the tree, as a checkpoint has it.
    let isState: Bool
    /// What the page does about shares; nil where nothing is shared.
    var shares: ShareNews?
    /// What its records take in memory.
    var byteCount: Int { records.values.reduce(0) { $0 + $1.bytes.count } }

    /// Checks a page of entries.
    /// - Parameter known: the entry that this device knew before.
    init(
        _ update: Lockbook_V1_LogUpdate,
        log: AccountID,
        after known: LogHead?,
        signedBy key: VerifyingKey
    ) throws {
        var head = known
        var wanted: [FileID: Hash256] = [:]
        var allowed: Set<Hash256> = []
        var authors: [Hash256: EntryHeader] = [:]
        var listed = 0
        var entries: [EntryHeader] = []
        var purged: Set<FileID> = []
        for entry in update.entries {
            let header = try EntryHeader(Array(entry.header))
            try header.verify(after: head, in: log)
            try header.verify(by: key)
            guard header.author == log else { throw VerificationFailure.author }
            let groups = entry.groups.map { group -> SeenGroup in
                switch group.content {
                case .whole(let bytes): .whole(Array(bytes))
                case .hidden(let hash): .hidden(Hash256(Array(hash)) ?? .zero)
                case nil: .hidden(.zero)
                }
            }
            let certificate = header.position == 0 ? Array(entry.certificate) : nil
            guard EntryBody(certificate: certificate, groups: groups).hash == header.bodyHash else {
                throw VerificationFailure.hash
            }
            for group in groups {
                // In one's own log there is nothing that one may not see.
                guard case .whole(let bytes) = group else { throw VerificationFailure.hash }
                let group = try EntryGroup(bytes)
                for record in group.records {
                    wanted[record.file] = record.hash
                    purged.remove(record.file)
                    allowed.insert(record.hash)
                    authors[record.hash] = header
                }
                for file in group.purged {
                    wanted[file] = nil
                    purged.insert(file)
                }
                listed += group.fileCount
            }
            entries.append(header)
            head = LogHead(header)
        }
        guard let newest = entries.last else { throw VerificationFailure.misplaced }
        self.newest = newest
        self.listed = listed
        self.entries = entries
        self.purged = purged
        isState = false
        origins = wanted.compactMapValues { authors[$0] }
        records = try Self.match(update.records, wanted: wanted, allowed: allowed, by: authors)
    }

    /// Takes the records that the entries list; the newest of each file must be there.
    private static func match(
        _ sent: [Data],
        wanted: [FileID: Hash256],
        allowed: Set<Hash256>,
        by authors: [Hash256: EntryHeader]
    ) throws -> [FileID: FileRecord] {
        var records: [FileID: FileRecord] = [:]
        for bytes in sent {
            let record = try FileRecord(Array(bytes))
            let hash = record.hash
            guard allowed.contains(hash), let header = authors[hash] else {
                throw VerificationFailure.hash
            }
            guard record.facts.author == header.author, record.facts.device == header.device,
                record.facts.owner == header.log
            else { throw VerificationFailure.author }
            if wanted[record.facts.id] == hash { records[record.facts.id] = record }
        }
        // Something listed was withheld, and nothing newer makes up for it.
        guard records.count == wanted.count else { throw VerificationFailure.hash }
        return records
    }

    /// Entries that were checked one by one.
    init(
        entries: [EntryHeader],
        newest: EntryHeader,
        records: [FileID: FileRecord],
        origins: [FileID: EntryHeader],
        listed: Int,
        purged: Set<FileID>,
        shares: ShareNews
    ) {
        self.newest = newest
        self.records = records
        self.listed = listed
        self.entries = entries
        self.origins = origins
        self.purged = purged
        isState = false
        self.shares = shares
    }

    /// A page and the one that comes after it, as one: of each file what the later says.
    /// - Returns: nil where a state, or two pages that say something about shares, would be joined.
    init?(_ page: VerifiedPage, followedBy next: VerifiedPage) {
        guard !next.isState, page.shares == nil else { return nil }
        newest = next.newest
        records = page.records.filter { !next.purged.contains($0.key) }
            .merging(next.records) { $1 }
        listed = page.listed + next.listed
        entries = page.entries + next.entries
        origins = page.origins.filter { !next.purged.contains($0.key) }
            .merging(next.origins) { $1 }
        purged = page.purged.subtracting(next.records.keys).union(next.purged)
        isState = page.isState
        shares = next.shares
    }

    /// A state from a checkpoint, whose digest was checked.
    init(newest: EntryHeader, records: [FileID: FileRecord]) {
        self.newest = newest
        self.records = records
        listed = 0
        entries = []
        origins = [:]
        purged = []
        isState = true
    }
}
