import FoundationEssentials
import LockbookAPI
import LockbookCrypto
import LockbookModel
import SwiftProtobuf

/// How much of groups was read for one answer, also of those of which the reader is shown the hash alone.
final class GroupReading {
    private let most: Int
    private var byteCount = 0

    init(atMost most: Int) { self.most = most }

    /// Whether no more is to be read for this answer.
    var isOver: Bool { byteCount > most }

    func note(_ count: Int) { byteCount += count }
}

/// Makes the pages in which a device is told what is new in a log.
struct LogReader {
    let store: any MetadataReading
    let account: StoredAccount
    let reader: AccountID
    /// What the reader may see; nil for the owner, who sees all.
    let member: MemberView?
    let isShared: Bool

    /// What one page aims at.
    let pageByteCount: Int
    let reading: GroupReading

    /// - Parameters:
    ///   - account: whose log it is.
    ///   - reader: who asks.
    ///   - pageByteCount: what one page aims at; a piece that alone is larger is sent all the same.
    ///   - reading: of the answer that the page is in.
    init(
        store: any MetadataReading,
        account: StoredAccount,
        reader: AccountID,
        pageByteCount: Int,
        reading: GroupReading
    ) throws {
        self.store = store
        self.account = account
        self.reader = reader
        self.pageByteCount = pageByteCount
        self.reading = reading
        isShared = try store.isShared(account.key)
        member = reader == account.id ? nil : try store.memberView(of: reader, in: account.key)
    }

    /// What a device has of the log, as it says.
    struct Known {
        var head: LogHead?
        var cursor: Lockbook_V1_CheckpointCursor?
        var entryCursor: Lockbook_V1_EntryCursor?
        /// The latest position of a checkpoint that tells what it asks for.
        var latest: UInt64?
    }

    /// How far the log goes, and whether that is further than the device says.
    func announcement(after known: Known) throws -> Lockbook_V1_LogUpdate {
        var update = try headUpdate(for: known)
        update.more = known.head.map { $0.position < update.headPosition } ?? true
        return update
    }

    private func headUpdate(for known: Known) throws -> Lockbook_V1_LogUpdate {
        let newest = try newest(for: known)
        return .with {
            $0.log = account.id.hash.data
            $0.headPosition = newest.position
            $0.head = newest.hash.data
        }
    }

    func page(after known: Known) throws -> Lockbook_V1_LogUpdate {
        var update = try headUpdate(for: known)
        if let member {
            try fill(&update, for: member, after: known)
            return update
        }
        if let head = known.head {
            // Ahead of us, or on another branch: this server was restored from a backup, or lies.
            // The device sees it from our head.
            guard head.position <= account.head.position,
                try store.entry(head.position, of: account.key)?.hash == head.hash
            else { return update }
        }
        if let checkpoint = try checkpoint(for: known) {
            try fill(&update, from: checkpoint, after: known)
        } else {
            try fill(&update, from: known.head.map { $0.position + 1 } ?? 0, known.entryCursor)
        }
        return update
    }

    /// The newest entry that the reader may see.
    private func newest(for known: Known) throws -> LogHead {
        guard let last = member?.last else { return account.head }
        // Who learned from a checkpoint that he may see nothing any more knows of a later one.
        if let head = known.head, head.position > last,
            try store.entry(head.position, of: account.key)?.hash == head.hash
        {
            return head
        }
        guard let entry = try store.entry(last, of: account.key) else {
            throw StoreFailure.damaged
        }
        return LogHead(position: last, hash: entry.hash)
    }

    private func fill(
        _ update: inout Lockbook_V1_LogUpdate,
        for member: MemberView,
        after known: Known
    ) throws {
        if let head = known.head {
            guard head.position < update.headPosition,
                try store.entry(head.position, of: account.key)?.hash == head.hash
            else { return }
        } else if member.first == nil {
            throw Refusal(.notPermitted, "this account may not read this log")
        }
        if let checkpoint = try checkpoint(for: known) {
            if checkpoint.position > update.headPosition,
                let entry = try store.entry(checkpoint.position, of: account.key)
            {
                update.headPosition = checkpoint.position
                update.head = entry.hash.data
            }
            try fill(&update, from: checkpoint, after: known)
        } else {
            let first = known.head.map { $0.position + 1 } ?? member.first ?? 0
            try fill(&update, from: first, known.entryCursor)
        }
    }
}
