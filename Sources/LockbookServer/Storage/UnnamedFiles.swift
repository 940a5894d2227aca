import LockbookAPI
import LockbookCrypto
import LockbookModel
import NIOCore

/// A file of a content that no row names, and that has the bytes of its name.
struct UnnamedFile: Sendable {
    var blob: NewBlob
    /// How it was when it was read.
    var state: BlobFileState
}

/// Reads files of contents that no row names: after a database was put back they are newer than it.
///
/// Each is read once in a process, as long as nothing is written to it, and one after another: who names
/// them again and again makes no work. What is kept of one is 32 bytes for each MiB on the disk.
actor UnnamedFiles {
    /// What was found in a file.
    enum Finding: Sendable {
        case whole(UnnamedFile)
        case unfit(reason: String)
    }

    private struct Place: Hashable {
        var owner: AccountID
        var name: BlobName
    }

    private struct Known {
        var state: BlobFileState
        var finding: Finding
    }

    private let blobStore: any BlobStore
    /// How much may be left to read where somebody waits for it; what is more is for who asks later.
    private let awaitedByteCount: UInt64
    private var known: [Place: Known] = [:]
    private var reading: [Place: Task<Void, any Error>] = [:]
    private var last: Task<Void, any Error>?
    private var unreadByteCount: UInt64 = 0
    /// How many files were read, for tests.
    private(set) var readCount = 0

    init(_ blobStore: any BlobStore, awaitedByteCount: UInt64) {
        self.blobStore = blobStore
        self.awaitedByteCount = awaitedByteCount
    }

    /// What is in files of an account, as far as that can be told soon.
    /// - Throws: what the disk fails of, where that has nothing to do with one file.
    func find(_ files: [(name: BlobName, state: BlobFileState)], of owner: AccountID) async throws
        -> [(name: BlobName, finding: Finding)]
    {
        var told: [(name: BlobName, state: BlobFileState)] = []
        var awaited: [Task<Void, any Error>] = []
        for file in files {
            let place = Place(owner: owner, name: file.name)
            if known[place]?.state != file.state {
                let task = reading[place] ?? begin(place, file.state.byteCount)
                guard unreadByteCount <= awaitedByteCount else { continue }
                awaited.append(task)
            }
            told.append(file)
        }
        for task in awaited { try await task.value }
        return told.compactMap { file in
            guard let read = known[Place(owner: owner, name: file.name)], read.state == file.state
            else { return nil }
            return (name: file.name, finding: read.finding)
        }
    }

    /// Of files that have rows now, or that are gone.
    func forget(_ names: [BlobName], of owner: AccountID) {
        for name in names { known[Place(owner: owner, name: name)] = nil }
    }

    /// Waits for all that is to be read, for tests.
    func readAll() async throws { try await last?.value }

    private func begin(_ place: Place, _ byteCount: UInt64) -> Task<Void, any Error> {
        let (previous, blobStore) = (last, blobStore)
        unreadByteCount += byteCount
        let task: Task<Void, any Error> = Task {
            _ = await previous?.result
            defer { end(place, byteCount) }
            let found = try await onOwnThread { try Self.read(place, in: blobStore) }
            if let found { known[place] = found }
        }
        reading[place] = task
        last = task
        return task
    }

    private func end(_ place: Place, _ byteCount: UInt64) {
        reading[place] = nil
        unreadByteCount -= byteCount
        readCount += 1
    }

    /// - Returns: nil where there is no such file any more, or something was written to it meanwhile.
    private static func read(_ place: Place, in blobStore: any BlobStore) throws -> Known? {
        guard let state = blobStore.state(of: place.name, of: place.owner) else { return nil }
        let finding: Finding
        do {
            finding = try read(place, state, in: blobStore)
        } catch let unreadable as UnreadableBlob {
            finding = .unfit(reason: unreadable.reason)
        }
        guard blobStore.state(of: place.name, of: place.owner) == state else { return nil }
        return Known(state: state, finding: finding)
    }

    private static func read(_ place: Place, _ state: BlobFileState, in blobStore: any BlobStore)
        throws -> Finding
    {
        let (name, owner, byteCount) = (place.name, place.owner, state.byteCount)
        guard (1...Wire.maximumBlobByteCount).contains(byteCount) else {
            return .unfit(reason: "no content has \(byteCount) bytes")
        }
        let segment = ContentFormat.segmentByteCount
        let starts = stride(from: 0, to: byteCount, by: segment)
        let segments = try starts.map { start -> Hash256 in
            let count = Int(min(byteCount - start, UInt64(segment)))
            let bytes = try blobStore.read(name, of: owner, offset: start, count: count)
            return Hash256(sha256: bytes.readableBytesView)
        }
        guard BlobName(length: byteCount, segments: segments) == name else {
            return .unfit(reason: "it has other bytes")
        }
        // Whoever put it there may not have waited for the disk, as a copying program does not.
        try blobStore.makeDurable(name, of: owner)
        let blob = NewBlob(name: name, size: byteCount, place: .file(segments: segments))
        return .whole(UnnamedFile(blob: blob, state: state))
    }
}
