import FoundationEssentials
import Glibc
import LockbookAPI
import LockbookCrypto
import LockbookModel
import SwiftProtobuf

extension Sync {
    /// Sends what was changed here, entry by entry.
    /// - Returns: false when somebody else's entry came first and has to be merged before.
    mutating func push() async throws -> Bool {
        var isStaged = false
        while true {
            try await rememberClock()
            guard try await pushShares(isBeforeChanges: true) else { return false }
            if try store.read({ try !$0.hasPending() && !$0.unsettledShares().isEmpty }) {
                try store.write { try $0.settleShares() }
            }
            let (wasInterrupted, hasChanges) = try store.read {
                (try $0.hasPending(), try $0.hasChanges() || $0.hasExpired())
            }
            guard wasInterrupted || hasChanges else { return true }
            guard let (plan, changes) = try preparePush() else {
                guard try await findAtServer() else { return true }
                continue
            }
            if wasInterrupted, try await letGoOfMissing(in: plan) { continue }
            let outcome: Outcome
            do {
                outcome =
                    options.isDryRun
                    ? .accepted : try await send(plan, resuming: wasInterrupted || isStaged)
            } catch {
                guard let reason = error.refusal else { throw error }
                // What was to let people in, or to take something back, and was on its way when an
                // earlier sync stopped, is let go of by now, and asked for anew.
                if wasInterrupted, plan.onlyGrants || plan.takesBack { continue }
                if !leaveOut(error, of: plan) {
                    let isFound = try await findRefused(in: plan, reason)
                    guard try isFound || leaveBook(error, of: plan) else { throw error }
                }
                isStaged = true
                continue
            }
            guard outcome == .accepted else {
                report.races += 1
                return false
            }
            let (pushed, purged) = try store.write { tree in
                let purged = try tree.topPaths(of: plan.entry.purged)
                let accepted = try tree.acceptPendingNews()
                if accepted.people { report.people = true }
                return (try accepted.files.map { try tree.path(of: $0) }, purged)
            }
            report.pushed.append(contentsOf: pushed)
            if options.listsChanges { report.changes = (report.changes ?? []) + changes }
            report.purged.append(contentsOf: purged)
        }
    }

    enum Outcome {
        case accepted, moved
    }

    /// Signs an entry over the changes and keeps it; nil when there is nothing to push.
    private mutating func preparePush() throws -> (PushPlan, [StatusReport.Change])? {
        let (refused, atServer) = (refused, atServer ?? [])
        let (plan, changes, notes) = try store.write { tree in
            tree.contentsAtServer = atServer
            try tree.settlePending()
            if try !tree.hasPending() { try tree.purgeExpired() }
            // Once more after the merge: what it made of the tree was not asked for either.
            if try !options.acceptDeletions && !tree.hasPending(),
                let stop = try tree.unaskedDeletions(believesNotes: true)
            {
                throw LockbookError.stopped(stop)
            }
            let (plan, notes) = try tree.planPush(without: refused)
            let changes = try options.listsChanges ? plan.map { try tree.changes(in: $0) } : nil
            return (plan, changes ?? [], notes)
        }
        for note in notes where !report.notes.contains(note) { report.notes.append(note) }
        return plan.map { ($0, changes) }
    }

    /// Sends an entry and what it lists.
    ///
    /// One that the server will not have, or has no room for, is not kept for another try: what is
    /// asked of it changes when the user deletes what that was for. Should the log have it after
    /// all, that is known.
    /// - Parameter settlingLog: whether what was committed moves from the write-ahead log into the
    ///   database while the server is at work.
    func send(_ plan: PushPlan, resuming: Bool, settlingLog: Bool = false) async throws -> Outcome {
        do {
            return try await sendWhole(plan, resuming: resuming, settlingLog)
        } catch {
            let didNothing = await server.didNothing
            if error.refusal != nil || didNothing { try store.write { try $0.setPendingAside() } }
            throw error
        }
    }

    private func sendWhole(_ plan: PushPlan, resuming: Bool, _ settlingLog: Bool) async throws
        -> Outcome
    {
        progress(.uploading(done: 0, of: plan.byteCount))
        var inline = PushPlan.Batch()
        let isAhead = plan.isNew && plan.sendsAhead(environment.batchByteCount)
        if isAhead { try store.write { try $0.noteOffered(false) } }
        try await stage(plan, resuming: resuming, inline: &inline)
        if isAhead { try store.write { try $0.noteOffered(true) } }
        guard settlingLog else { return try await appended(plan, with: &inline) }
        // Not before all that is sent was read, which would wait for it.
        let log = store
        async let settled: Void = log.settleLog()
        let outcome = try await appended(plan, with: &inline)
        await settled
        return outcome
    }

    private func appended(_ plan: PushPlan, with inline: inout PushPlan.Batch) async throws
        -> Outcome
    {
        for _ in 0..<3 {
            switch try await append(plan, with: &inline).outcome {
            case .accepted: return .accepted
            case .moved: return .moved
            case .missing(let missing):
                try await stageMissing(missing, plan)
            case nil:
                throw LockbookError.integrity(reason: "the server's answer cannot be read")
            }
        }
        throw LockbookError.integrity(reason: "the server forgets what it is sent")
    }

    /// Sends records and blobs ahead; the last batch travels with the push itself.
    private func stage(_ plan: PushPlan, resuming: Bool, inline: inout PushPlan.Batch) async throws
    {
        let wanted = resuming ? try await missing(of: plan) : plan.wanted
        try await uploadLarge(of: wanted)
        var done: UInt64 = 0
        var batches = PushPlan.batches(of: wanted, environment.batchByteCount)[...]
        guard var current = batches.popFirst() else { return }
        var loaded = try load(current)
        // The next batch is read while one is under way.
        while let next = batches.popFirst() {
            let (batch, log) = (loaded, plan.log)
            async let sent: Void = sendAhead(batch, for: log)
            let following = try load(next)
            try await sent
            done += current.reduce(0) { $0 + UInt64($1.byteCount) }
            progress(.uploading(done: done, of: plan.byteCount))
            current = next
            loaded = following
        }
        inline = loaded
    }

    func load(_ items: [PushPlan.Item]) throws -> PushPlan.Batch {
        try store.read { try $0.load(items) }
    }

    func missing(of plan: PushPlan) async throws -> [PushPlan.Item] {
        var wanted: [PushPlan.Item] = []
        var rest = plan.items[...]
        while !rest.isEmpty {
            let part = rest.prefix(Wire.maximumNamesPerRequest / 2)
            rest = rest.dropFirst(part.count)
            let answer: Lockbook_V1_MissingResponse = try await server.ask(
                .missing,
                .with {
                    $0.log = plan.log
                    $0.records = part.map { Data($0.reference.hash.bytes) }
                    $0.blobs = part.compactMap { $0.blob.map { Data($0.name.hash.bytes) } }
                } as Lockbook_V1_MissingRequest
            )
            let records = Set(answer.records)
            let blobs = Set(answer.blobs)
            for var item in part {
                item.sendsRecord = records.contains(Data(item.reference.hash.bytes))
                item.sendsBlob =
                    item.blob.map { blobs.contains(Data($0.name.hash.bytes)) } ?? false
                if item.sendsRecord || item.sendsBlob { wanted.append(item) }
            }
        }
        return wanted
    }

    private func stageMissing(_ missing: Lockbook_V1_MissingResponse, _ plan: PushPlan)
        async throws
    {
        let records = Set(missing.records)
        let blobs = Set(missing.blobs)
        var wanted: [PushPlan.Item] = []
        for var item in plan.items {
            item.sendsRecord = records.contains(Data(item.reference.hash.bytes))
            item.sendsBlob = item.blob.map { blobs.contains(Data($0.name.hash.bytes)) } ?? false
            if item.sendsRecord || item.sendsBlob { wanted.append(item) }
        }
        guard !wanted.isEmpty else {
            throw LockbookError.integrity(reason: "the server misses what was never listed")
        }
        try await uploadLarge(of: wanted)
        for batch in PushPlan.batches(of: wanted, environment.batchByteCount) {
            try await sendAhead(load(batch), for: plan.log)
        }
    }

    /// Sends what travels in segments.
    /// - Throws: a `RefusedChange` for a content that is not as it was written: it keeps nothing else.
    func uploadLarge(of items: some Sequence<PushPlan.Item>) async throws {
        for item in items {
            guard let blob = item.largeBlob else { continue }
            do {
                try await upload(blob.name, blob.size)
            } catch let error where Self.isUnreadable(error) {
                throw PushPlan.unreadableContent(of: item.reference.file)
            }
        }
    }

    private static func isUnreadable(_ error: any Error) -> Bool {
        if let error = error as? LockbookError, case .damaged = error { return true }
        return (error as? DiskFailure)?.isOfFile == true
    }

    /// Sends a large blob in segments, from where an earlier try stopped.
    /// - Parameter isAnew: whether the server forgot it once, as after a machine slept for days.
    func upload(_ name: BlobName, _ size: UInt64, isAnew: Bool = false) async throws {
        let file = try store.blobs.open(name)
        var namer = BlobNamer()
        while true {
            let piece = try file.read(ContentFormat.segmentByteCount)
            if piece.isEmpty { break }
            namer.update(piece)
        }
        guard namer.finish() == name else {
            throw LockbookError.damaged(file: store.blobs.path(of: name), author: account.username)
        }
        let segments = namer.segments
        let answer: Lockbook_V1_UploadResponse = try await server.ask(
            .upload,
            .with {
                $0.log = foreignLog
                $0.name = Data(name.hash.bytes)
                $0.length = size
                $0.segments = segments.map { Data($0.bytes) }
            } as Lockbook_V1_UploadRequest
        )
        do {
            try await inSegments(
                from: Int(answer.nextSegment),
                of: segments.count,
                size,
                telling: SyncProgress.uploading
            ) { part in
                let bytes = try file.read(
                    part.count * ContentFormat.segmentByteCount,
                    at: UInt64(part.lowerBound) * UInt64(ContentFormat.segmentByteCount)
                )
                try await server.put(bytes, name: name, first: part.lowerBound, log: foreignLog)
            }
        } catch LockbookError.refused where !isAnew {
            try await upload(name, size, isAnew: true)
        }
    }
}
