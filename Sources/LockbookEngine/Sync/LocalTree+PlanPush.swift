import FoundationEssentials
import LockbookAPI
import LockbookCrypto
import LockbookModel
import SwiftProtobuf

/// The scopes of what one entry lists, of which it has room for so many.
private struct EntryScopes {
    private var scopes: Set<FileID>
    private let most: Int

    init(of departures: Departures, most: Int) {
        scopes = Set(departures.records.map(\.facts.scope)).union(departures.left.keys)
        self.most = most
    }

    /// - Returns: whether what is of this scope goes with the entry.
    mutating func take(_ scope: FileID) -> Bool {
        guard scopes.contains(scope) || scopes.count < most else { return false }
        scopes.insert(scope)
        return true
    }
}

extension LocalTree {
    /// Decides what becomes of an entry that was sent without an answer.
    func settlePending() throws {
        guard let pending = try pending() else { return }
        // It never will be in the log: what was written, deleted or purged since counts. An earlier
        // program purged what others share, which is refused.
        let isRefused = isForeign && !pending.purged.isEmpty
        guard try wasOffered(), !isRefused else { return try forgetPending() }
        let head = try shownEnd()
        let next = head.map { $0.position + 1 } ?? 0
        // While its place is free the entry may still arrive: the same one is sent again.
        guard pending.header.position != next || pending.header.previous != head?.hash else {
            return
        }
        try forgetPending()
    }

    /// Signs an entry over what was changed here.
    /// - Returns: nil when nothing is to be pushed, and what has to stay here with the reason.
    /// - Parameter refused: what the server will not have, and why.
    func planPush(without refused: [FileID: String]) throws -> (
        plan: PushPlan?, notes: [SyncReport.Note]
    ) {
        if let pending = try pending() {
            return (try plan(for: pending), [])
        }
        try settleDead()
        var notes = try settleScopes()
        // What went into a deleted folder then takes along what was changed in it.
        if notes.contains(where: { $0.kind == .trashed }) { try settleDead() }
        let refused = try refused.merging(heldBack()) { reason, _ in reason }
        var items: [PushPlan.Item] = []
        let departures = try departures(without: refused)
        let waiting = try waitingForOwner()
        let behind = try behind()
        var scopes = EntryScopes(of: departures, most: environment.pushScopeCount)
        // What is pushed after them: what stands in them, and what wants the name of such a thing.
        var later = departures.wait
        // What it has no room for goes with the next one.
        var left: Set<FileID> = []
        try visitChanges { row, isKnown in
            let limit =
                isKnown ? EntryGroup.maximumRecordCount : environment.pushRecordCount
            guard items.count + departures.records.count < limit else { return false }
            guard let local = row.local, !waiting.contains(row.id),
                try !departures.ahead.contains(row.id) && later?.covers(row) != true
                    && !waits(row, for: behind)
            else { return true }
            let record = try FileRecord(local)
            if try later?.holds(record.facts) == true {
                later?.hold(row.id)
                return true
            }
            if let reason = try refusal(of: row, refused) ?? obstacle(to: record) {
                // What was made here and deleted again nobody misses elsewhere.
                if try row.base == nil && isDead(row) { return true }
                notes.append(
                    SyncReport.Note(
                        kind: .notPushed,
                        id: row.id.description,
                        path: try path(of: row),
                        detail: reason
                    )
                )
                return true
            }
            if scopes.take(record.facts.scope) {
                items.append(try item(record, of: row))
            } else {
                left.insert(row.id)
            }
            return true
        }
        items = try items.filter(goingBefore(left, after: later, among: items))
        items += departures.records.map { PushPlan.Item($0) }
        // Purges go last, in entries of their own: by then the server knows of every move.
        let purged =
            items.isEmpty
            ? try Array(planPurge().prefix { scopes.take(try agreedScope(of: $0)) }) : []
        // What is pushed first may be what they wait for.
        guard !items.isEmpty || !purged.isEmpty else { return (nil, departures.notes + notes) }
        try makePending(items, purging: purged, departures)
        try keepPushed(departures.records)
        guard let entry = try pending() else {
            throw LockbookError.store(reason: "the entry to push is missing")
        }
        return (PushPlan(entry: entry, items: items), notes)
    }

    /// Tells what can go before changes that have no room in its entry.
    ///
    /// Not so what stands in one of them, or wants the name that it has until then, unless nothing would be
    /// left.
    /// - Parameter wait: what goes after the departures.
    private func goingBefore(
        _ left: Set<FileID>,
        after wait: DepartureWait?,
        among items: [PushPlan.Item]
    ) throws -> (PushPlan.Item) -> Bool {
        guard !left.isEmpty else { return { _ in true } }
        var wait = try wait ?? DepartureWait(server: BaseFacts(tree: self), crossing: [])
        wait.names.formUnion(left)
        let rows = try items.compactMap { try row($0.reference.file) }
        try wait.includeWanting(rows, besides: [])
        let free = Set(try rows.filter { try !wait.covers($0) }.map(\.id))
        return { free.isEmpty || free.contains($0.reference.file) }
    }

    /// Signs an entry that purges files and does nothing else.
    func planPush(purging files: [FileID]) throws -> PushPlan? {
        try makePending([], purging: files, Departures())
        return try pending().map { PushPlan(entry: $0, items: []) }
    }

    private func item(_ record: FileRecord, of row: FileRow) throws -> PushPlan.Item {
        PushPlan.Item(
            reference: RecordReference(file: row.id, hash: record.hash),
            scope: record.facts.scope,
            recordByteCount: record.bytes.count,
            blob: record.facts.blob,
            sendsBlob: try sendsBlob(record, row)
        )
    }

    /// A renamed document's content is at the server already, and so is what was found there.
    private func sendsBlob(_ record: FileRecord, _ row: FileRow) throws -> Bool {
        guard let blob = record.facts.blob, !contentsAtServer.contains(blob.name) else {
            return false
        }
        return try row.base.map { try FileRecord($0).facts.blob } != blob
    }

    /// Signs an entry over what is in these items; where something is shared, with its scopes.
    private func makePending(
        _ items: [PushPlan.Item],
        purging purged: [FileID],
        _ departures: Departures
    ) throws {
        guard try isShared() else {
            return try makePending(items.map(\.reference), purging: purged, after: try shownEnd())
        }
        var scopes: [FileID: [RecordReference]] = [:]
        for item in items { scopes[item.scope, default: []].append(item.reference) }
        var gone: [FileID: [FileID]] = [:]
        for id in purged { gone[try agreedScope(of: id), default: []].append(id) }
        let left = departures.left
        let moved = try movedScopes(of: departures)
        let all = [Set(gone.keys), Set(left.keys), Set(moved.inner.keys)]
            .reduce(Set(scopes.keys)) { $0.union($1) }
        try makePending(
            all.sorted().map { scope in
                EntryGroup(
                    scope: scope,
                    records: scopes[scope] ?? [],
                    grants: (moved.own[scope] ?? []) + (moved.told[scope] ?? []),
                    wraps: moved.wraps[scope] ?? [],
                    purged: gone[scope] ?? [],
                    left: left[scope] ?? [],
                    inner: moved.inner[scope] ?? [],
                    isMoved: moved.contains(scope)
                )
            },
            after: try shownEnd(),
            isShared: true
        )
    }

    /// The scope of a file as the server has it.
    private func agreedScope(of file: FileID) throws -> FileID {
        try row(file)?.base.map { try FileRecord($0).facts.scope } ?? root
    }

    /// Why a file stays here: it was refused, or stands in a new folder that was.
    func refusal(of row: FileRow, _ refused: [FileID: String]) throws -> String? {
        guard !refused.isEmpty else { return nil }
        var next = row
        while true {
            if let reason = refused[next.id] { return reason }
            guard next.id != root, let folder = try self.row(next.parent), folder.base == nil else {
                return nil
            }
            next = folder
        }
    }

    func obstacle(to record: FileRecord) throws -> String? {
        if let blob = record.facts.blob, blob.size > Wire.maximumBlobByteCount {
            return "it is too large for the server"
        }
        return try isUnreadable(record) ? PushPlan.unreadable : nil
    }

    /// Whether the content that a change brings cannot be read here, and is not known to be at the server.
    func isUnreadable(_ record: FileRecord) throws -> Bool {
        guard let blob = record.facts.blob,
            try row(record.facts.id)?.base.map({ try FileRecord($0).facts.blob }) != blob
        else { return false }
        return try !canRead(blob.name) && !contentsAtServer.contains(blob.name)
    }

    private func plan(for pending: PendingEntry) throws -> PushPlan {
        let items = try pending.records.map { reference in
            let record = try sentRecord(reference)
            return PushPlan.Item(
                reference: reference,
                scope: record.facts.scope,
                recordByteCount: record.bytes.count,
                blob: record.facts.blob,
                sendsBlob: record.facts.blob != nil
            )
        }
        return PushPlan(entry: pending, items: items, isNew: false)
    }

    func load(_ items: [PushPlan.Item]) throws -> PushPlan.Batch {
        var batch = PushPlan.Batch()
        for item in items {
            if item.sendsRecord {
                batch.records.append(Data(try item.record ?? sentRecord(item.reference).bytes))
            }
            guard item.sendsBlob, item.largeBlob == nil, let blob = item.blob else { continue }
            let bytes = try self.blob(blob.name)?.bytes(upTo: Wire.smallBlobByteCount + 1) ?? []
            // Without it the server would ask for it again and again.
            guard BlobName(of: bytes) == blob.name else {
                throw PushPlan.unreadableContent(of: item.reference.file)
            }
            batch.blobs.append(
                .with {
                    $0.name = Data(blob.name.hash.bytes)
                    $0.content = Data(bytes)
                }
            )
        }
        return batch
    }
}
