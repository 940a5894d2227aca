import FoundationEssentials
import LockbookAPI
import LockbookCrypto
import LockbookModel
import SwiftProtobuf

extension Sync {
    /// So many times more wait of a log that is shared: merged in parts, contents would be asked for
    /// that nobody may read any more by its end.
    private static let sharedWaiting = 4

    /// How often a log is read anew because something that it tells of is gone.
    private static let pullCount = 3

    /// Takes every entry after the newest that this device knows.
    ///
    /// A content that is to be merged may be purged, or the right to it may end, after the log was
    /// read: then the log says so by now. One that comes wrong is asked for anew as well.
    /// - Parameter first: what the server told of this log before it was asked.
    mutating func pull(beginningWith first: Lockbook_V1_LogUpdate? = nil) async throws {
        var first = first
        isFirstPull = try store.read { try $0.head() == nil }
        for count in 1...Self.pullCount {
            passesByMissing = count == Self.pullCount
            // Read in parts, a log tells of contents that are gone by its end.
            do { return try await pullOnce(beginningWith: first, isWhole: count > 1) } catch {
                guard count < Self.pullCount, Self.isMissing(error) || error is OtherContent
                else { throw error }
                (first, checked) = (nil, nil)
            }
        }
    }

    /// Pages wait until the last is there, or until they are many: guards look at all of them
    /// before the first is merged.
    /// - Parameter isWhole: whether all are merged as one, however many they are.
    private mutating func pullOnce(
        beginningWith first: Lockbook_V1_LogUpdate?,
        isWhole: Bool
    ) async throws {
        var first = first
        var cursor: CheckpointReader?
        var waiting: [VerifiedPage] = []
        var newest: LogHead?
        var byteCount = 0
        var more = true
        while more {
            let known = try newest ?? store.read { try $0.shownEnd() }
            let position = position(known, cursor?.next)
            var update = try await self.update(first, after: position)
            first = nil
            guard update.end.isEmpty else { return try takeEnd(Array(update.end)) }
            update = try await whole(update, after: position)
            if update.hasCheckpoint {
                var reader =
                    try cursor?.reading(update.checkpoint, after: known, sync: self)
                    ?? CheckpointReader(update.checkpoint, after: known, sync: self)
                if let state = try reader.take(update.checkpoint) {
                    try take(state, &waiting)
                    newest = state.head
                    byteCount += state.byteCount
                    cursor = nil
                } else {
                    cursor = reader
                }
                continue
            }
            cursor = nil
            do { try checkHead(update, known: known) } catch {
                // What is no more than its word the server may take back.
                guard try newest == nil && forgetShownEnd() else { throw error }
                continue
            }
            if !update.entries.isEmpty {
                progress(.pulling(files: update.records.count))
                newest = try verify(update, after: known, &waiting)
                byteCount += update.records.reduce(0) { $0 + $1.count }
            }
            guard !update.more || !update.entries.isEmpty else {
                throw LockbookError.integrity(
                    reason: "the server announces entries it does not send"
                )
            }
            more = update.more
            let most = checked == nil ? 1 : Self.sharedWaiting
            if byteCount > most * environment.waitingByteCount, more, !isWhole {
                try await merge(&waiting)
                byteCount = 0
            }
        }
        try checkRequired(newest ?? store.read { try $0.shownEnd() })
        try await merge(&waiting, asOne: isWhole)
        try keepShownEnd(newest)
        try forgetReached()
    }

    /// Takes what is new in this log.
    /// - Returns: whether there was anything.
    mutating func pullNews() async throws -> Bool {
        let known = try store.read { try $0.shownEnd() }
        try await pull()
        return try store.read { try $0.shownEnd() != known || $0.isOwnerGone() }
    }

    /// Takes what came before a push, as the server says.
    /// - Throws: `.integrity` when it shows nothing of that: it would say so for ever.
    mutating func pullWhatWasFirst() async throws {
        guard try await pullNews() else {
            throw LockbookError.integrity(
                reason: "the server says that somebody else was first, and shows nothing of it"
            )
        }
    }

    /// A server whose log is shorter than what this device has seen, or another one, broke its word.
    private func checkHead(_ update: Lockbook_V1_LogUpdate, known: LogHead?) throws {
        guard let known else { return }
        guard update.headPosition >= known.position else {
            throw LockbookError.rolledBack(known: known.position, shown: update.headPosition)
        }
        if update.headPosition == known.position, Array(update.head) != known.hash.bytes {
            throw LockbookError.rolledBack(known: known.position, shown: update.headPosition)
        }
        guard update.headPosition == known.position || !update.entries.isEmpty else {
            throw LockbookError.rolledBack(known: known.position, shown: update.headPosition)
        }
    }

    private mutating func merge(_ waiting: inout [VerifiedPage], asOne: Bool = false) async throws {
        if let page = try takeShared() { waiting.append(page) }
        try checkGuards(waiting)
        if asOne { waiting = Self.joined(waiting) }
        let expected = try expectedContents(of: waiting)
        let sync = self
        async let contents = sync.prefetch(expected)
        for page in waiting { try await merge(page) }
        prefetched = await contents
        waiting = []
    }

    private static func joined(_ pages: [VerifiedPage]) -> [VerifiedPage] {
        pages.reduce(into: []) { joined, page in
            if let last = joined.last, let both = VerifiedPage(last, followedBy: page) {
                joined[joined.count - 1] = both
            } else {
                joined.append(page)
            }
        }
    }

    /// What waits of earlier entries of a log with shares is in the state as well.
    private mutating func take(_ state: CheckpointState, _ waiting: inout [VerifiedPage]) throws {
        guard let scopes = state.scopes else {
            waiting.append(VerifiedPage(newest: state.newest, records: state.records))
            return
        }
        waiting = []
        checked = try store.read { try CheckedEntries(state, scopes, in: $0) }
    }

    /// - Returns: the last entry, which waits with the others to be merged.
    private mutating func verify(
        _ update: Lockbook_V1_LogUpdate,
        after known: LogHead?,
        _ waiting: inout [VerifiedPage]
    ) throws -> LogHead? {
        let required = try store.read { try $0.requiredHeads() }
        if !required.isEmpty {
            for entry in update.entries {
                try LogHead(EntryHeader(Array(entry.header))).requireIn(required)
            }
        }
        // What follows something that is shared is signed like that, too.
        guard !store.context.isForeign, checked == nil else {
            return try checkShared(update, after: known, waiting)
        }
        do {
            let page = try verifyOwn(update, after: known)
            waiting.append(page)
            return page.head
        } catch is VerificationFailure {
            // Of a log that is shared other things are signed, also by others.
            return try checkShared(update, after: known, waiting)
        }
    }

    private func verifyOwn(_ update: Lockbook_V1_LogUpdate, after known: LogHead?) throws
        -> VerifiedPage
    {
        try VerifiedPage(
            update,
            log: owner,
            after: known,
            signedBy: keys.signing.publicKey
        )
    }
}
