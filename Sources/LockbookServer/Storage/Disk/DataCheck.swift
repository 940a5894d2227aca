import LockbookCrypto
import LockbookModel
import NIOCore

/// Looks through the folder of a server for what a disk lost or damaged.
///
/// Nothing is changed, and a server may be using the folder. Records and entries are looked at by every
/// device that gets them; here only their database is.
package struct DataCheck: Sendable {
    /// Something that is not as it has to be.
    package struct Finding: Sendable, Equatable, CustomStringConvertible {
        /// Where in the folder.
        package var place: String
        package var reason: String

        package var description: String { "\(place): \(reason)" }
    }

    private static let database = "server.sqlite"
    /// Contents of 64 KiB that are in memory together.
    private static let pageCount = 100

    private let path: String
    private let blobStore: DiskBlobStore

    package init(path: String) {
        self.path = path
        blobStore = DiskBlobStore(reading: "\(path)/blobs")
    }

    /// - Parameter tell: is told of each thing when it is found.
    /// - Returns: how many contents there are; nil where the database cannot be read.
    package func run(_ tell: (Finding) -> Void) async throws -> Int? {
        // SQLite needs them to read, and leaves them there.
        let made = ["-wal", "-shm"].map { "\(path)/\(Self.database)\($0)" }
            .filter { !SystemFolder.exists($0) }
        defer { takeAway(made) }
        do {
            let store = try open()
            defer { try? store.close() }
            return try await check(store, tell)
        } catch let failure as UnreadableDatabase {
            tell(Finding(place: Self.database, reason: failure.reason))
            return nil
        }
    }

    private func open() throws -> SQLiteStore {
        let database = "\(path)/\(Self.database)"
        // SQLite would not say what it could not open.
        guard let byteCount = try SystemFile.byteCount(of: database) else {
            guard SystemFolder.exists("\(path)/blobs") else {
                throw SystemFailure.missing
            }
            throw UnreadableDatabase(reason: "it is not there")
        }
        guard byteCount > 0 else { throw UnreadableDatabase(reason: "it is empty") }
        return try SQLiteStore(reading: database)
    }

    /// Removes files that were made beside a database, unless a server has begun to use it.
    private func takeAway(_ made: [String]) {
        var lock: SystemFile?
        do throws(SystemFailure) {
            lock = try SystemFile("\(path)/lock", .reading)
        } catch {
            // A backup has none.
            guard error.isMissing else { return }
        }
        defer { lock?.close() }
        guard lock?.lock() ?? true else { return }
        defer { lock?.unlock() }
        for file in made where file.hasSuffix("-shm") || isEmpty(file) {
            try? SystemFolder.remove(file)
        }
    }

    /// A server that was killed meanwhile may have left something in it.
    private func isEmpty(_ file: String) -> Bool {
        (try? SystemFile.byteCount(of: file)) == 0
    }

    private func check(_ store: SQLiteStore, _ tell: (Finding) -> Void) async throws -> Int? {
        let faults = try await store.faults()
        for fault in faults { tell(Finding(place: Self.database, reason: fault)) }
        guard faults.isEmpty else { return nil }
        let (accounts, ended) = try await store.read { store in
            (try store.accounts(), try store.unfinishedEnds())
        }
        var count = 0
        var places: Set<String> = []
        for account in accounts {
            count += try await checkContents(of: account, in: store) { finding in
                places.insert(finding.place)
                tell(finding)
            }
        }
        for owner in accounts.map(\.id) + ended {
            for finding in try await inTheWay(of: owner) where !places.contains(finding.place) {
                tell(finding)
            }
        }
        return count
    }

    /// - Returns: how many there are.
    private func checkContents(
        of account: StoredAccount,
        in store: SQLiteStore,
        _ tell: (Finding) -> Void
    ) async throws -> Int {
        var count = 0
        var last: BlobName?
        repeat {
            let page = try await store.read { [last] store in
                try store.blobs(of: account.key, after: last, limit: Self.pageCount)
                    .map { try StoredContent(of: $0, in: store) }
            }
            for content in page {
                let finding = try await onOwnThread { try fault(of: content, of: account.id) }
                guard let finding else { continue }
                let name = content.blob.name
                let isThere = try await store.read {
                    try $0.blobs([name], of: account.key) != [nil]
                }
                // What a server has collected meanwhile is not lost.
                if isThere { tell(finding) }
            }
            count += page.count
            last = page.last?.blob.name
        } while last != nil
        return count
    }

    private struct StoredContent: Sendable {
        var blob: StoredBlob
        /// Nil for one that is a file.
        var bytes: [UInt8]?
        /// Nil where its row does not say what is in the file.
        var segments: [Hash256]?

        init(of blob: StoredBlob, in store: any MetadataReading) throws {
            self.blob = blob
            bytes = try store.content(of: blob)
            guard bytes == nil else { return }
            do { segments = try store.segments(of: blob) } catch StoreFailure.damaged {}
        }
    }

    private func fault(of content: StoredContent, of owner: AccountID) throws -> Finding? {
        let blob = content.blob
        if let bytes = content.bytes {
            let isWhole = BlobName(of: bytes) == blob.name && UInt64(bytes.count) == blob.size
            return isWhole ? nil : damaged(blob)
        }
        guard let segments = content.segments else {
            let reason = "the row of the content \(blob.name) does not say what is in it"
            return Finding(place: Self.database, reason: reason)
        }
        guard BlobName(length: blob.size, segments: segments) == blob.name else {
            return damaged(blob)
        }
        let place = "blobs/\(blobStore.location(of: blob.name, of: owner))"
        do {
            for (index, digest) in segments.enumerated() {
                let segment = UInt64(ContentFormat.segmentByteCount)
                let offset = UInt64(index) * segment
                let count = Int(min(blob.size - offset, segment))
                let bytes = try blobStore.read(blob.name, of: owner, offset: offset, count: count)
                guard Hash256(sha256: bytes.readableBytesView) == digest else {
                    return Finding(place: place, reason: "it has other bytes after \(offset)")
                }
            }
            return nil
        } catch let unreadable as UnreadableBlob {
            return Finding(place: place, reason: unreadable.reason)
        }
    }

    private func damaged(_ blob: StoredBlob) -> Finding {
        Finding(place: Self.database, reason: "the content \(blob.name) has other bytes")
    }

    private func inTheWay(of owner: AccountID) async throws -> [Finding] {
        do {
            return try await onOwnThread { try blobStore.foldersInTheWay(of: owner) }
                .map { Finding(place: "blobs/\($0)", reason: "a folder is in the place of a file") }
        } catch let failure as SystemFailure {
            return [Finding(place: "blobs", reason: "\(failure)")]
        }
    }
}
