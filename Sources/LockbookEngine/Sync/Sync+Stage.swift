import FoundationEssentials
import LockbookAPI
import LockbookCrypto
import LockbookModel
import SwiftProtobuf

/// What is at the server before the entry that lists it.
extension Sync {
    /// Sends records and blobs ahead; the last batch travels with the push itself.
    func stage(_ plan: PushPlan, resuming: Bool, inline: inout PushPlan.Batch) async throws {
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

    func stageMissing(_ missing: Lockbook_V1_MissingResponse, _ plan: PushPlan)
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
