import Dispatch
import LockbookCrypto
import LockbookModel
import LockbookServer
import NIOCore

/// A store of contents on whose disk what came of an upload is written when a test says so.
final class SlowBlobStore: BlobStore {
    private let store: DiskBlobStore
    private let go = DispatchSemaphore(value: 0)
    private let flushes: AsyncStream<Void>
    private let flushing: AsyncStream<Void>.Continuation

    init(_ store: DiskBlobStore) {
        self.store = store
        (flushes, flushing) = AsyncStream<Void>.makeStream()
    }

    /// Waits until the disk is asked to write.
    func waitForFlush() async { _ = await flushes.first { _ in true } }

    func goOn() { go.signal() }

    func flush(_ name: BlobName, of owner: AccountID) throws {
        flushing.yield()
        go.wait()
        try store.flush(name, of: owner)
    }

    func put(_ blobs: [(name: BlobName, bytes: [UInt8])], of owner: AccountID) throws {
        try store.put(blobs, of: owner)
    }

    func hasRoom(for upload: StoredUpload, of owner: AccountID) throws -> Bool {
        try store.hasRoom(for: upload, of: owner)
    }

    func begin(_ name: BlobName, of owner: AccountID) throws -> Bool {
        try store.begin(name, of: owner)
    }

    func write(_ bytes: ByteBufferView, at offset: UInt64, to name: BlobName, of owner: AccountID)
        throws -> Bool
    {
        try store.write(bytes, at: offset, to: name, of: owner)
    }

    func intactSegments(of upload: StoredUpload, of owner: AccountID) throws -> Int {
        try store.intactSegments(of: upload, of: owner)
    }

    func finish(_ name: BlobName, of owner: AccountID) throws {
        try store.finish(name, of: owner)
    }

    func read(_ name: BlobName, of owner: AccountID, offset: UInt64, count: Int) throws
        -> ByteBuffer
    {
        try store.read(name, of: owner, offset: offset, count: count)
    }

    func state(of name: BlobName, of owner: AccountID) -> BlobFileState? {
        store.state(of: name, of: owner)
    }

    func makeDurable(_ name: BlobName, of owner: AccountID) throws {
        try store.makeDurable(name, of: owner)
    }

    func delete(_ name: BlobName, of owner: AccountID) throws {
        try store.delete(name, of: owner)
    }

    func blobs(of owner: AccountID, before time: Int64) throws -> [BlobName] {
        try store.blobs(of: owner, before: time)
    }

    func uploads(of owners: [AccountID], before time: Int64) throws
        -> [(owner: AccountID, name: BlobName)]
    {
        try store.uploads(of: owners, before: time)
    }

    func deleteUpload(_ name: BlobName, of owner: AccountID) throws {
        try store.deleteUpload(name, of: owner)
    }

    func deleteSome(of owner: AccountID) throws -> Bool {
        try store.deleteSome(of: owner)
    }
}
