import FoundationEssentials
import LockbookAPI
import LockbookCrypto
import LockbookModel
import SwiftProtobuf

/// Makes the pages in which a device is told what is new in a log.
struct LogReader {
    let store: any MetadataReading
    let account: StoredAccount
    /// What the reader may see; nil for the owner, who sees all.
    let member: MemberView?
    let isShared: Bool

    /// What one page aims at.
    let pageByteCount: Int

    /// - Parameters:
    ///   - account: whose log it is.
    ///   - reader: who asks.
    ///   - pageByteCount: what one page aims at; a piece that alone is larger is sent all the same.
    init(
        store: any MetadataReading,
        account: StoredAccount,
        reader: AccountID,
        pageByteCount: Int
    ) throws {
        self.store = store
        self.account = account
        self.pageByteCount = pageByteCount
        isShared = try store.isShared(account.key)
        member = reader == account.id ? nil : try store.memberView(of: reader, in: account.key)
    }

    /// What a device has of the log, as it says.
    struct Known {
        var head: LogHead?
        var cursor: Lockbook_V1_CheckpointCursor?
        var entryCursor: Lockbook_V1_EntryCursor?
    }

    /// How far the log goes, and whether that is further than the device says.
    func announcement(after known: Known) throws -> Lockbook_V1_LogUpdate {
        var update = try headUpdate()
        update.more = known.head.map { $0.position < update.headPosition } ?? true
        return update
    }

    private func headUpdate() throws -> Lockbook_V1_LogUpdate {
        let newest = try newest()
        return .with {
            $0.log = account.id.hash.data
            $0.headPosition = newest.position
            $0.head = newest.hash.data
        }
    }

    func page(after known: Known) throws -> Lockbook_V1_LogUpdate {
        var update = try headUpdate()
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
    private func newest() throws -> LogHead {
        guard let last = member?.last else { return account.head }
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
            guard head.position <= update.headPosition,
                try store.entry(head.position, of: account.key)?.hash == head.hash
            else { return }
            try fill(&update, from: head.position + 1, known.entryCursor)
        } else {
            guard let first = member.first else {
                throw Refusal(.notPermitted, "this account may not read this log")
            }
            try fill(&update, from: first, known.entryCursor)
        }
    }
}
