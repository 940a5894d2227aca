import LockbookAPI
import LockbookCrypto
import LockbookModel

/// What a log says the tree was up to one of its entries.
struct ShownState {
    let common: LogHead
    /// Whether files that a later entry changes, or takes out of it, count as well.
    let isAll: Bool
    var known: LogHead?
    var cursor: Lockbook_V1_CheckpointCursor?
    /// The newest record of each file; without `isAll` of files that no later entry changes.
    var records: [FileID: FileRecord] = [:]
    /// False for a state of a later time, in which the earlier one cannot be seen.
    var isOfThen = true

    init(common: LogHead, isAll: Bool) { (self.common, self.isAll) = (common, isAll) }

    /// - Returns: whether more follows.
    mutating func take(_ update: Lockbook_V1_LogUpdate) throws -> Bool {
        guard !update.hasCheckpoint else {
            try take(update.checkpoint)
            return true
        }
        var sent: [Hash256: FileRecord] = [:]
        for bytes in update.records {
            let record = try FileRecord(Array(bytes))
            sent[record.hash] = record
        }
        for entry in update.entries {
            let header = try EntryHeader(Array(entry.header))
            let isThen = header.position <= common.position
            for group in isThen || !isAll ? entry.groups : [] {
                guard case .whole(let bytes) = group.content else { continue }
                let group = try EntryGroup(Array(bytes))
                for reference in group.records {
                    records[reference.file] = isThen ? sent[reference.hash] : nil
                }
                for file in group.purged + group.left { records[file] = nil }
            }
            known = LogHead(header)
        }
        guard !update.more || !update.entries.isEmpty else {
            throw LockbookError.integrity(reason: "the server announces entries it does not send")
        }
        return update.more
    }

    private mutating func take(_ page: Lockbook_V1_CheckpointPage) throws {
        let checkpoint = try Checkpoint(Array(page.checkpoint))
        isOfThen = checkpoint.head.position <= common.position
        guard page.complete || !page.headers.isEmpty || !page.items.isEmpty else {
            throw LockbookError.integrity(reason: "the server sends an empty page")
        }
        for item in page.items {
            let record = try FileRecord(Array(item.record))
            records[record.facts.id] = record
        }
        cursor = page.complete ? nil : page.next
        if page.complete { known = checkpoint.head }
    }
}
