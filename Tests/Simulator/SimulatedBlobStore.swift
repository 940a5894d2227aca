import LockbookCrypto
import LockbookModel
import LockbookServer
import NIOCore

/// The server's files of large contents, in whose writing its process can die.
struct SimulatedBlobStore: BlobStore {
    let store: DiskBlobStore
    let folder: SimulatedFolder

    /// What is written when the process dies is not synced, so that the crash cuts off any part.
    private func mayDie(_ body: () throws -> Void) throws {
        guard !folder.isDead else { throw Broken("the process is dead") }
        try body()
        guard folder.operate() else { throw Broken("the process died") }
    }

    func put(_ blobs: [(name: BlobName, bytes: [UInt8])], of owner: AccountID) throws {
        try mayDie { try store.put(blobs, of: owner) }
    }

    func write(_ bytes: ByteBufferView, at offset: UInt64, to name: BlobName, of owner: AccountID)
        throws
    {
        try mayDie { try store.write(bytes, at: offset, to: name, of: owner) }
    }

    func finish(_ name: BlobName, of owner: AccountID) throws {
        try mayDie { try store.finish(name, of: owner) }
    }

    func delete(_ name: BlobName, of owner: AccountID) throws {
        try mayDie { try store.delete(name, of: owner) }
    }

    func deleteUpload(_ name: BlobName, of owner: AccountID) throws {
        try mayDie { try store.deleteUpload(name, of: owner) }
    }

    func intactSegments(of upload: StoredUpload, of owner: AccountID) throws -> Int {
        try store.intactSegments(of: upload, of: owner)
    }

    func read(_ name: BlobName, of owner: AccountID, offset: UInt64, count: Int) throws
        -> ByteBuffer
    {
        try store.read(name, of: owner, offset: offset, count: count)
    }
}
