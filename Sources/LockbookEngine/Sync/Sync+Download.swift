import FoundationEssentials
import Glibc
import LockbookAPI
import LockbookCrypto
import LockbookModel
import SwiftProtobuf

extension Sync {
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
        } catch let unknown as UnknownContent {
            throw MissingContent(name: name, failure: .refused(reason: unknown.reason))
        }
        let segments = answer.segments.compactMap { Hash256(Array($0)) }
        guard answer.length == size,
            UInt64(segments.count) == ContentFormat.segmentCount(of: size),
            BlobName(length: size, segments: segments) == name
        else { throw OtherContent(name: name) }
        let file = try keeping { try store.blobs.partial(of: name) }
        let next = try Self.intact(segments, in: file)
        let kept = min(size, UInt64(next) * UInt64(ContentFormat.segmentByteCount))
        _ = try Disk.retry(file.path) { ftruncate(file.descriptor, off_t(kept)) }
        lseek(file.descriptor, 0, SEEK_END)
        try await inSegments(
            from: next,
            of: segments.count,
            size,
            telling: SyncProgress.downloading
        ) { part in
            let bytes = try await fetch(part, of: name)
            guard Self.isRight(bytes, segments[part]) else { throw OtherContent(name: name) }
            try append(bytes, to: file)
        }
        // Another process of this device may have written to it meanwhile.
        guard try Self.name(of: file) == name else {
            store.blobs.discard(file)
            throw LockbookError.io(path: file.path, reason: "it changed while it was fetched")
        }
        try keeping { try store.blobs.keep(file, as: name) }
    }

    private func keeping<Result>(_ body: () throws -> Result) throws -> Result {
        do { return try body() } catch let failure as DiskFailure {
            throw failure.keepingContent(in: store.directory)
        }
    }

    /// - Throws: a `BrokenConnection`, after which fewer may be asked for at once.
    private func fetch(_ part: Range<Int>, of name: BlobName) async throws -> [UInt8] {
        do {
            return try await server.segments(
                of: name,
                first: part.lowerBound,
                count: part.count,
                log: foreignLog
            )
        } catch is UnknownContent {
            throw MissingContent(name: name)
        }
    }

    private func append(_ bytes: [UInt8], to file: DiskFile) throws {
        do { try file.write(bytes) } catch let failure as DiskFailure
            where failure.isOfRoom
        {
            // What nobody can finish would take the room that is left for what is written here.
            store.blobs.discard(file)
            throw LockbookError.noSpace(for: store.directory)
        }
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
