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
            let before = rest
            let most = await server.portion(of: rest.byteCount)
            let part = rest.take(upTo: most)
            do {
                let _: Lockbook_V1_StageResponse = try await server.askOnce(
                    .stage,
                    part.stageRequest(for: log)
                )
            } catch let broken as BrokenConnection {
                try await server.goOn(
                    after: broken,
                    carrying: part.byteCount,
                    canSplit: part.count > 1
                )
                rest = before
            }
        }
    }

    /// Asks the server to append an entry.
    /// - Parameter inline: what travels with it; goes ahead where that is too much at once.
    func append(_ plan: PushPlan, with inline: inout PushPlan.Batch) async throws
        -> Lockbook_V1_PushResponse
    {
        while true {
            if await server.portion(of: inline.byteCount) < inline.byteCount {
                try await sendAhead(inline, for: plan.log)
                inline = PushPlan.Batch()
            }
            let batch = inline
            do {
                return try await server.askOnce(
                    .push,
                    .with {
                        $0.header = Data(plan.entry.header.bytes)
                        $0.groups = plan.entry.groups.map { Data($0.bytes) }
                        $0.records = batch.records
                        $0.blobs = batch.blobs
                    } as Lockbook_V1_PushRequest
                )
            } catch let broken as BrokenConnection {
                try await server.goOn(
                    after: broken,
                    carrying: batch.byteCount,
                    canSplit: !batch.isEmpty
                )
            }
        }
    }

    /// Fetches as many of the first small blobs as one answer brings.
    /// - Returns: at least one; none when there are none.
    func fetchSmall(_ blobs: ArraySlice<(name: BlobName, size: UInt64)>) async throws
        -> [FetchedBlob]
    {
        while true {
            let most = await server.portion(of: environment.batchByteCount)
            let wanted = Self.batch(of: blobs, most)
            do {
                return try await fetchOnce(wanted.map(\.name))
            } catch let broken as BrokenConnection {
                try await server.goOn(
                    after: broken,
                    carrying: wanted.reduce(0) { $0 + Int(clamping: $1.size) },
                    canSplit: wanted.count > 1
                )
            }
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
