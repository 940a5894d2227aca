import FoundationEssentials
import Glibc
import LockbookAPI
import LockbookCrypto
import LockbookModel
import SwiftProtobuf

/// A small blob from the server, whose bytes are those of its name.
struct FetchedBlob: Sendable {
    let name: BlobName
    let bytes: [UInt8]
}

/// A content that the log names, and that the server does not give.
struct MissingContent: Error {
    let name: BlobName
    /// What that is when the log has nothing new either.
    var failure = LockbookError.integrity(reason: reason)

    static let reason = "the server does not have a content it promised"
}

extension LocalTree {
    /// How a file may be called in every tree of this device.
    fileprivate func called(_ file: FileID) throws -> String {
        isForeign ? "id:\(file)" : try path(of: file)
    }
}

/// A content that the server sends otherwise than it was written.
struct OtherContent: Error {
    static let reason = "the server sends another content"
    let name: BlobName
}

extension Sync {
    /// So many contents that are not what was written are passed by in one sync.
    private static let mostOtherContents = 8
    /// So many that do not come: a server's disk may have lost them.
    private static let mostMissingContents = 1_000

    /// Fetches the contents that are on the server alone, but for large ones unless all are wanted.
    mutating func fetchContents() async throws {
        let limit = options.full ? UInt64.max : environment.lazyByteCount
        var others: Set<BlobName> = []
        var (missingCount, isRead) = (0, store.context.isForeign)
        func wanted() throws -> [(name: BlobName, size: UInt64)] {
            try store.read { try $0.absentBlobs(upTo: limit) }.filter { !others.contains($0.name) }
        }
        if options.isDryRun {
            let wanted = try wanted()
            try store.write { tree in
                for (name, _) in wanted { try tree.clearAbsent(blob: name) }
            }
        } else {
            var isDone = false
            while !isDone {
                do {
                    let wanted = try wanted()
                    let names = Set(wanted.map(\.name))
                    let arrived = prefetched.filter { names.contains($0.name) }
                    prefetched = []
                    try await fetch(wanted, arrived: arrived)
                    isDone = true
                } catch let missing as MissingContent where !store.context.isForeign || leavesOut {
                    // It may have been purged since the log was read. What others share is put
                    // right first, and asked for after that.
                    if !isRead, try await pullNews() { continue }
                    isRead = true
                    missingCount += 1
                    guard missingCount < Self.mostMissingContents else { throw missing }
                    others.insert(missing.name)
                    try note(missing.name, MissingContent.reason)
                } catch let other as OtherContent
                    where others.count - missingCount < Self.mostOtherContents
                {
                    others.insert(other.name)
                    try note(other.name, OtherContent.reason)
                }
            }
        }
        try readArrivals()
        report.leftOnServer = try store.read { try $0.absentCount() }
    }

    /// Notes a content that does not come, or comes wrong: it keeps no other one from coming, and is named
    /// at the end.
    private mutating func note(_ content: BlobName, _ reason: String) throws {
        let path = try store.read { try $0.absentFile(of: content).map($0.called) }
        failure = failure ?? LockbookError.badContent(path: path ?? "a note", reason: reason)
    }

    /// A dry run has no contents to look into.
    private func readArrivals() throws {
        guard !options.isDryRun else { return }
        let arrivals = try store.read { try $0.arrivals() }
        guard !arrivals.isEmpty else { return }
        try store.write { try $0.noteMarkers(in: arrivals) }
    }

    /// - Parameters:
    ///   - ready: those of them that have arrived already.
    ///   - isReplacing: what is here of them does not open, and gives way.
    func fetch(
        _ wanted: [(name: BlobName, size: UInt64)],
        arrived ready: [FetchedBlob] = [],
        replacing isReplacing: Bool = false
    ) async throws {
        let total = wanted.reduce(0) { $0 + $1.size }
        var done: UInt64 = 0
        let names = Set(ready.map(\.name))
        var small = wanted.filter {
            $0.size <= UInt64(Wire.smallBlobByteCount) && !names.contains($0.name)
        }[...]
        var arrived = ready
        if arrived.isEmpty {
            arrived = try await fetchSmall(batch(of: small))
            small = small.dropFirst(arrived.count)
        }
        while !arrived.isEmpty {
            // The next batch is on its way while this one is checked and stored.
            let names = batch(of: small)
            async let following = fetchSmall(names)
            try keep(arrived, replacing: isReplacing)
            done += arrived.reduce(0) { $0 + UInt64($1.bytes.count) }
            progress(.downloading(done: min(done, total), of: total))
            arrived = try await following
            small = small.dropFirst(arrived.count)
        }
        for blob in wanted where blob.size > UInt64(Wire.smallBlobByteCount) {
            try await download(blob.name, size: blob.size)
            try store.write { tree in
                try tree.addBlobFile(blob.name)
                try tree.clearAbsent(blob: blob.name)
            }
            done += blob.size
            progress(.downloading(done: min(done, total), of: total))
        }
    }

    /// As many as one request may name, and about as many as one answer brings.
    func batch(of blobs: ArraySlice<(name: BlobName, size: UInt64)>) -> [BlobName] {
        var names: [BlobName] = []
        var size: UInt64 = 0
        for blob in blobs {
            guard names.isEmpty || size + blob.size + 64 <= UInt64(environment.batchByteCount),
                names.count < Wire.maximumNamesPerRequest
            else { break }
            names.append(blob.name)
            size += blob.size + 64
        }
        return names
    }

    /// - Returns: the blobs of the first names, at least of one; none when there are no names.
    func fetchSmall(_ names: [BlobName]) async throws -> [FetchedBlob] {
        guard !names.isEmpty else { return [] }
        let answer: Lockbook_V1_BlobsResponse = try await server.ask(
            .blobs,
            .with {
                $0.log = foreignLog
                $0.names = names.map { Data($0.hash.bytes) }
            } as Lockbook_V1_BlobsRequest
        )
        // What is not there is left out.
        let found = zip(names, answer.blobs).prefix { Array($1.name) == $0.hash.bytes }
        guard !found.isEmpty else { throw MissingContent(name: names[0]) }
        return try concurrentMap(Array(found)) { name, blob in
            let bytes = Array(blob.content)
            guard BlobName(of: bytes) == name else { throw OtherContent(name: name) }
            return FetchedBlob(name: name, bytes: bytes)
        }
    }

    private func keep(_ blobs: [FetchedBlob], replacing isReplacing: Bool) throws {
        try store.write { tree in
            for blob in blobs {
                if isReplacing { try tree.forgetBytes(of: blob.name) }
                try tree.keepBlob(blob.bytes, name: blob.name)
                try tree.clearAbsent(blob: blob.name)
            }
        }
    }

    /// Fetches a large blob in segments, each checked, from where an earlier try stopped; nothing
    /// refers to it yet.
    func download(_ name: BlobName, size: UInt64) async throws {
        let answer: Lockbook_V1_SegmentsResponse
        do {
            answer = try await server.ask(
                .segments,
                .with {
                    $0.log = foreignLog
                    $0.name = Data(name.hash.bytes)
                } as Lockbook_V1_SegmentsRequest
            )
        } catch let refusal as LockbookError {
            guard case .refused = refusal else { throw refusal }
            throw MissingContent(name: name, failure: refusal)
        }
        let segments = answer.segments.compactMap { Hash256(Array($0)) }
        let expected =
            (size + UInt64(ContentFormat.segmentByteCount) - 1)
            / UInt64(ContentFormat.segmentByteCount)
        guard answer.length == size, UInt64(segments.count) == expected,
            BlobName(length: size, segments: segments) == name
        else { throw OtherContent(name: name) }
        let file = try store.blobs.partial(of: name)
        var next = try Self.intact(segments, in: file)
        let kept = min(size, UInt64(next) * UInt64(ContentFormat.segmentByteCount))
        _ = try Disk.retry(file.path) { ftruncate(file.descriptor, off_t(kept)) }
        lseek(file.descriptor, 0, SEEK_END)
        while next < segments.count {
            let count = min(Wire.segmentsPerRequest, segments.count - next)
            let bytes: [UInt8]
            do {
                bytes = try await server.segments(
                    of: name,
                    first: next,
                    count: count,
                    log: foreignLog
                )
            } catch LockbookError.refused {
                throw MissingContent(name: name)
            }
            guard Self.isRight(bytes, segments[next..<next + count]) else {
                throw OtherContent(name: name)
            }
            do { try file.write(bytes) } catch let failure as DiskFailure
                where [ENOSPC, EDQUOT].contains(failure.code)
            {
                // What nobody can finish would take the room that is left for what is written here.
                store.blobs.discard(file)
                throw LockbookError.store(
                    reason: "no space left for the data directory \(store.directory)"
                )
            }
            next += count
            progress(
                .downloading(
                    done: min(size, UInt64(next * ContentFormat.segmentByteCount)),
                    of: size
                )
            )
        }
        // Another process of this device may have written to it meanwhile.
        guard try Self.name(of: file) == name else {
            store.blobs.discard(file)
            throw LockbookError.io(path: file.path, reason: "it changed while it was fetched")
        }
        try store.blobs.keep(file, as: name)
    }

    /// How many of the first segments an earlier try left: a file that was not synced may have any
    /// holes after a power cut.
    private static func intact(_ segments: [Hash256], in file: DiskFile) throws -> Int {
        for (index, segment) in segments.enumerated() {
            let offset = UInt64(index) * UInt64(ContentFormat.segmentByteCount)
            let piece = try file.read(ContentFormat.segmentByteCount, at: offset)
            guard Hash256(sha256: piece) == segment else { return index }
        }
        return segments.count
    }

    private static func isRight(_ bytes: [UInt8], _ segments: ArraySlice<Hash256>) -> Bool {
        var rest = bytes[...]
        for segment in segments {
            let piece = rest.prefix(ContentFormat.segmentByteCount)
            guard Hash256(sha256: piece) == segment else { return false }
            rest = rest.dropFirst(piece.count)
        }
        return rest.isEmpty
    }

    private static func name(of file: DiskFile) throws -> BlobName {
        var namer = BlobNamer()
        var offset: UInt64 = 0
        while true {
            let piece = try file.read(ContentFormat.segmentByteCount, at: offset)
            if piece.isEmpty { return namer.finish() }
            namer.update(piece)
            offset += UInt64(piece.count)
        }
    }
}
