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

/// A content that the server sends otherwise than it was written.
struct OtherContent: Error {
    static let reason = "the server sends another content"
    let name: BlobName
    /// The file that was to be merged with it.
    var path: String?

    var failure: LockbookError {
        .integrity(reason: Self.reason + (path.map { " than was written to \($0)" } ?? ""))
    }
}

extension Sync {
    /// Fetches the contents that are on the server alone, but for large ones unless all are wanted.
    mutating func fetchContents() async throws {
        let limit = options.full ? UInt64.max : environment.lazyByteCount
        if options.isDryRun {
            try store.write { tree in
                for (name, _) in try tree.absentBlobs(upTo: limit) {
                    try tree.clearAbsent(blob: name)
                }
            }
        } else {
            try await fetchContents(upTo: limit)
            try readArrivals()
        }
        report.leftOnServer = try store.read { try $0.absentCount() }
    }

    private mutating func fetchContents(upTo limit: UInt64) async throws {
        defer { prefetched = [] }
        var passed = PassedContents(lost: try store.read { try $0.lostContents() })
        func absent(_ tree: LocalTree) throws -> [(name: BlobName, size: UInt64)] {
            try tree.absentBlobs(upTo: limit)
        }
        // What others share is put right first, and asked for after that.
        let isRereading = !store.context.isForeign
        do {
            repeat {
                guard
                    try await fetchEach(rereading: isRereading, passing: &passed, absent)
                else { return }
            } while try passed.tryAll(of: Set(store.read(absent).map(\.name)))
        } catch let missing as MissingContent where !store.context.isForeign || leavesOut {
            try keep(passed.lost(of: Set(store.read(absent).map(\.name))))
            throw missing
        }
        try keep(passed.lost(of: Set(store.read(absent).map(\.name))))
    }

    /// Fetches contents of which none is known to be lost.
    mutating func fetchEach(
        rereading isRereading: Bool,
        _ absent: (LocalTree) throws -> [(name: BlobName, size: UInt64)]
    ) async throws -> Bool {
        var passed = PassedContents()
        return try await fetchEach(rereading: isRereading, passing: &passed, absent)
    }

    /// Fetches contents, of which one that does not come keeps no other one from coming: it is noted.
    /// - Parameters:
    ///   - isRereading: whether the log is read anew before one of them counts as lost.
    ///   - passed: what is not asked for.
    ///   - absent: those of them that are not here.
    /// - Returns: whether the server has given what it has of them; not where it cannot now.
    private mutating func fetchEach(
        rereading isRereading: Bool,
        passing passed: inout PassedContents,
        _ absent: (LocalTree) throws -> [(name: BlobName, size: UInt64)]
    ) async throws -> Bool {
        var isRead = !isRereading
        while true {
            let wanted = try store.read { try absent($0) }.filter { !passed.contains($0.name) }
            let names = Set(wanted.map(\.name))
            let arrived = prefetched.filter { names.contains($0.name) }
            prefetched.removeAll { names.contains($0.name) }
            do {
                try await fetch(wanted, arrived: arrived)
                return true
            } catch let missing as MissingContent where !store.context.isForeign || leavesOut {
                // It may have been purged since the log was read.
                if !isRead, try await pullNews() { continue }
                isRead = true
                guard passed.pass(missing) else { throw missing }
                try note(missing.name, MissingContent.reason)
            } catch let other as OtherContent {
                guard passed.pass(other) else { throw other }
                try note(other.name, OtherContent.reason)
            } catch LockbookError.unavailable(let server, let reason) {
                // What others are to have is sent all the same: it may be contents alone that the server
                // cannot give now.
                failures.add(LockbookError.unavailable(server: server, reason: reason))
                return false
            }
        }
    }

    /// Notes what was lost before and not asked for now, and keeps in mind all that is lost.
    private mutating func keep(_ lost: (untried: [BlobName], all: [BlobName])) throws {
        report.note(
            once: try lost.untried.compactMap { try failed($0, MissingContent.reason) }
        )
        guard try store.read({ try $0.lostContents() }) != lost.all else { return }
        try store.write { try $0.setLostContents(lost.all) }
    }

    private mutating func note(_ content: BlobName, _ reason: String) throws {
        if let note = try failed(content, reason) { report.note(once: [note]) }
    }

    /// Takes down a content that does not come, or comes wrong, and keeps no other one from coming.
    ///
    /// The first of them is what the sync failed of.
    /// - Returns: what is to be told of it; nil where no file here is without it.
    private mutating func failed(_ content: BlobName, _ reason: String) throws
        -> SyncReport.Note?
    {
        let found = try store.read { tree in
            try tree.absentFile(of: content).map { file in
                (file: file, path: try tree.shownPath(of: file))
            }
        }
        failures.add(
            LockbookError.badContent(path: found?.path ?? "a note", reason: reason),
            of: .contents
        )
        return found.map { found in
            SyncReport.Note(
                kind: .contentLost,
                id: found.file.description,
                path: found.path,
                detail: reason
            )
        }
    }

    private func readArrivals() throws {
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
            arrived = try await fetchSmall(small)
            small = small.dropFirst(arrived.count)
        }
        while !arrived.isEmpty {
            // The next batch is on its way while this one is checked and stored.
            let rest = small
            async let following = fetchSmall(rest)
            try keep(arrived, replacing: isReplacing)
            done += arrived.reduce(0) { $0 + UInt64($1.bytes.count) }
            progress(.downloading(done: min(done, total), of: total))
            arrived = try await following
            small = small.dropFirst(arrived.count)
        }
        for blob in wanted where blob.size > UInt64(Wire.smallBlobByteCount) {
            try await fetchLarge(blob.name, size: blob.size)
            done += blob.size
            progress(.downloading(done: min(done, total), of: total))
        }
    }

    /// - Returns: the blobs of the first names, at least of one; none when there are no names.
    /// - Throws: a `BrokenConnection`, after which fewer may be asked for at once.
    func fetchOnce(_ names: [BlobName]) async throws -> [FetchedBlob] {
        guard !names.isEmpty else { return [] }
        let answer: Lockbook_V1_BlobsResponse = try await server.askOnce(
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
        do {
            if let keepsNothing { throw keepsNothing }
            try store.write { tree in
                for blob in blobs {
                    if isReplacing { try tree.forgetBytes(of: blob.name) }
                    try tree.keepFetched(blob)
                    try tree.clearAbsent(blob: blob.name)
                }
            }
        } catch LockbookError.store(_, limit: .some) where holdsUnkept {
            // Who reads one asks for no other.
            if let blob = blobs.last { store.context.unkept.hold(blob) }
        }
    }
}

extension LocalTree {
    fileprivate func keepFetched(_ blob: FetchedBlob) throws {
        do { try keepBlob(blob.bytes, name: blob.name) } catch let failure as DiskFailure {
            throw failure.keepingContent(in: account.directory)
        }
    }
}
