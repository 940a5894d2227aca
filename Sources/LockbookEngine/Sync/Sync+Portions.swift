import FoundationEssentials
import LockbookAPI
import LockbookCrypto
import LockbookModel
import SwiftProtobuf

/// What is sent and asked for in portions, in smaller ones where a link breaks off so much at once.
///
/// What got through is kept by the server, or here, so nothing of it travels twice.
extension Sync {
    /// Sends records and small blobs ahead of the push that lists them.
    func sendAhead(_ batch: PushPlan.Batch, for log: Data) async throws {
        var rest = batch
        while !rest.isEmpty {
            let all = rest
            rest = try await server.inPortions(of: all.byteCount) { most in
                var left = all
                let part = left.take(upTo: most)
                return Portion(
                    (part: part, left: left),
                    byteCount: part.byteCount,
                    canSplit: part.count > 1
                )
            } exchange: { sent in
                let _: Lockbook_V1_StageResponse = try await server.askOnce(
                    .stage,
                    sent.part.stageRequest(for: log)
                )
                return sent.left
            }
        }
    }

    /// Asks the server to append an entry.
    /// - Parameter inline: what travels with it; goes ahead where that is too much at once.
    func append(_ plan: PushPlan, with inline: inout PushPlan.Batch) async throws
        -> Lockbook_V1_PushResponse
    {
        try await server.inPortions(of: inline.byteCount) { most in
            if most < inline.byteCount {
                try await sendAhead(inline, for: plan.log)
                inline = PushPlan.Batch()
            }
            return Portion(inline, byteCount: inline.byteCount, canSplit: !inline.isEmpty)
        } exchange: { batch in
            try await server.askOnce(
                .push,
                .with {
                    $0.header = Data(plan.entry.header.bytes)
                    $0.groups = plan.entry.groups.map { Data($0.bytes) }
                    $0.records = batch.records
                    $0.blobs = batch.blobs
                } as Lockbook_V1_PushRequest
            )
        }
    }

    /// Fetches as many of the first small blobs as one answer brings.
    /// - Returns: at least one; none when there are none.
    func fetchSmall(_ blobs: ArraySlice<(name: BlobName, size: UInt64)>) async throws
        -> [FetchedBlob]
    {
        try await server.inPortions(of: environment.batchByteCount) { most in
            let wanted = Self.batch(of: blobs, most)
            return Portion(
                wanted.map(\.name),
                byteCount: wanted.reduce(0) { $0 + Int(clamping: $1.size) },
                canSplit: wanted.count > 1
            )
        } exchange: { names in
            try await fetchOnce(names)
        }
    }

    /// Asks what is new in some logs, in smaller pages where the link breaks off larger ones.
    func askForNews(of logs: [Lockbook_V1_LogPosition]) async throws -> Lockbook_V1_PullResponse {
        try await server.inPortions(of: Wire.batchByteCount) { most in
            let request = Lockbook_V1_PullRequest.with {
                $0.logs = logs
                // What a whole page is the server knows.
                if most < Wire.batchByteCount { $0.pageByteCount = UInt32(most) }
            }
            return Portion(request, byteCount: most, canSplit: true)
        } exchange: { request in
            try await server.askOnce(.pull, request)
        }
    }

    /// Sends or fetches segments of a large blob.
    /// - Parameters:
    ///   - first: the one at which an earlier try stopped.
    ///   - count: how many it has.
    ///   - size: its bytes.
    ///   - told: how far that is, after so many bytes of all.
    ///   - carry: sends or fetches some, once.
    func inSegments(
        from first: Int,
        of count: Int,
        _ size: UInt64,
        telling told: (UInt64, UInt64) -> SyncProgress,
        carry: (Range<Int>) async throws -> Void
    ) async throws {
        let byteCount = ContentFormat.segmentByteCount
        var next = first
        while next < count {
            let begin = next
            next = try await server.inPortions(of: Wire.segmentsPerRequest * byteCount) { most in
                let end = min(count, begin + max(1, most / byteCount))
                return Portion(
                    begin..<end,
                    byteCount: (end - begin) * byteCount,
                    canSplit: end - begin > 1
                )
            } exchange: { part in
                try await carry(part)
                return part.upperBound
            }
            progress(told(min(size, UInt64(next) * UInt64(byteCount)), size))
        }
    }

    /// As many as one request may name, and about as many as one answer brings.
    private static func batch(
        of blobs: ArraySlice<(name: BlobName, size: UInt64)>,
        _ byteCount: Int
    ) -> ArraySlice<(name: BlobName, size: UInt64)> {
        var count = 0
        var size: UInt64 = 0
        for blob in blobs {
            guard count == 0 || size + blob.size + 64 <= UInt64(byteCount),
                count < Wire.maximumNamesPerRequest
            else { break }
            count += 1
            size += blob.size + 64
        }
        return blobs.prefix(count)
    }
}

extension PushPlan.Batch {
    /// Bytes of the fields around a record or blob.
    private static let around = 48

    var count: Int { records.count + blobs.count }
    var isEmpty: Bool { records.isEmpty && blobs.isEmpty }

    var byteCount: Int {
        records.reduce(0) { $0 + $1.count + Self.around }
            + blobs.reduce(0) { $0 + $1.content.count + Self.around }
    }

    /// Takes out of it as much as one request is to carry, and at least one thing.
    mutating func take(upTo most: Int) -> PushPlan.Batch {
        guard byteCount > most else {
            let all = self
            self = PushPlan.Batch()
            return all
        }
        var part = PushPlan.Batch()
        var room = most
        while let record = records.last {
            room -= record.count + Self.around
            guard part.isEmpty || room >= 0 else { return part }
            part.records.append(records.removeLast())
        }
        while let blob = blobs.last {
            room -= blob.content.count + Self.around
            guard part.isEmpty || room >= 0 else { return part }
            part.blobs.append(blobs.removeLast())
        }
        return part
    }
}
