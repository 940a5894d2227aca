import FoundationEssentials
import Glibc
import LockbookAPI
import LockbookCrypto
import LockbookModel
import SwiftProtobuf

extension Sync {
    /// So many bytes of a blob are held in memory where they cannot be kept.
    private static let heldByteCount: UInt64 = 64 << 20

    /// Fetches a large blob, and lets the store refer to it.
    ///
    /// What cannot be kept is held until another one is read, where it is to be read at once.
    func fetchLarge(_ name: BlobName, size: UInt64) async throws {
        let held = try await orHeld(name, size: size) {
            try await download(name, size: size)
            try store.write { tree in
                try tree.addBlobFile(name)
                try tree.clearAbsent(blob: name)
            }
        }
        if let held { store.context.unkept.hold(FetchedBlob(name: name, bytes: held)) }
    }

    /// Does what keeps a large blob.
    /// - Returns: the blob's bytes, where it cannot be kept, and does not have to be; nil where it is.
    func orHeld(_ name: BlobName, size: UInt64, _ keep: () async throws -> Void) async throws
        -> [UInt8]?
    {
        do {
            if let keepsNothing { throw keepsNothing }
            try await keep()
            return nil
        } catch LockbookError.store(_, limit: .some)
            where holdsUnkept && size <= Self.heldByteCount
        {
            // The one before would take as much again.
            store.context.unkept.letGo()
            var bytes: [UInt8] = []
            bytes.reserveCapacity(Int(size))
            let segments = try await segments(of: name, size: size)
            try await inSegments(
                from: 0,
                of: segments.count,
                size,
                telling: SyncProgress.downloading
            ) { part in
                let piece = try await fetch(part, of: name, segments)
                bytes += piece
            }
            return bytes
        } catch LockbookError.store(let reason, let limit?) where holdsUnkept {
            let much = "and \(Self.heldByteCount >> 20) MiB are the most that is read without"
            throw LockbookError.store(reason: "\(reason), \(much)", limit: limit)
        }
    }

    /// Fetches a large blob in segments, each checked, from where an earlier try stopped; nothing
    /// refers to it yet.
    func download(_ name: BlobName, size: UInt64) async throws {
        let segments = try await segments(of: name, size: size)
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
            try append(try await fetch(part, of: name, segments), to: file)
        }
        // Another process of this device may have written to it meanwhile.
        guard try Self.name(of: file) == name else {
            store.blobs.discard(file)
            throw LockbookError.io(path: file.path, reason: "it changed while it was fetched")
        }
        try keeping { try store.blobs.keep(file, as: name) }
    }

    /// The hashes of a blob's segments, which make its name.
    private func segments(of name: BlobName, size: UInt64) async throws -> [Hash256] {
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
        return segments
    }

    private func keeping<Result>(_ body: () throws -> Result) throws -> Result {
        do { return try body() } catch let failure as DiskFailure {
            throw failure.keepingContent(in: store.directory)
        }
    }

    /// Some segments, checked.
    /// - Throws: a `BrokenConnection`, after which fewer may be asked for at once.
    private func fetch(_ part: Range<Int>, of name: BlobName, _ segments: [Hash256])
        async throws -> [UInt8]
    {
        let bytes: [UInt8]
        do {
            bytes = try await server.segments(
                of: name,
                first: part.lowerBound,
                count: part.count,
                log: foreignLog
            )
        } catch is UnknownContent {
            throw MissingContent(name: name)
        }
        guard Self.isRight(bytes, segments[part]) else { throw OtherContent(name: name) }
        return bytes
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
