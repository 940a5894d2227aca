import Glibc
import LockbookCrypto
import LockbookModel
import LockbookServer
import NIOCore
import Synchronization

/// The server's files of large contents, in whose writing its process can die.
struct SimulatedBlobStore: BlobStore {
    let store: DiskBlobStore
    let folder: SimulatedFolder
    let leftovers: Leftovers

    /// What is written when the process dies is not synced, so that the crash cuts off any part.
    private func mayDie<Value>(_ body: () throws -> Value) throws -> Value {
        guard !folder.isDead else { throw Broken("the process is dead") }
        let value = try body()
        guard folder.operate() else { throw Broken("the process died") }
        return value
    }

    func put(_ blobs: [(name: BlobName, bytes: [UInt8])], of owner: AccountID) throws {
        try mayDie { try store.put(blobs, of: owner) }
    }

    func hasRoom(for upload: StoredUpload, of owner: AccountID) throws -> Bool {
        try store.hasRoom(for: upload, of: owner)
    }

    func begin(_ name: BlobName, of owner: AccountID) throws -> Bool {
        guard !folder.isDead else { throw Broken("the process is dead") }
        return try store.begin(name, of: owner)
    }

    func write(_ bytes: ByteBufferView, at offset: UInt64, to name: BlobName, of owner: AccountID)
        throws -> Bool
    {
        try mayDie { try store.write(bytes, at: offset, to: name, of: owner) }
    }

    func flush(_ name: BlobName, of owner: AccountID) throws {
        try store.flush(name, of: owner)
    }

    func finish(_ name: BlobName, of owner: AccountID) throws {
        try mayDie { try store.finish(name, of: owner) }
    }

    func state(of name: BlobName, of owner: AccountID) -> BlobFileState? {
        store.state(of: name, of: owner)
    }

    func makeDurable(_ name: BlobName, of owner: AccountID) throws {
        try mayDie { try store.makeDurable(name, of: owner) }
    }

    func delete(_ name: BlobName, of owner: AccountID) throws {
        try mayDie { try store.delete(name, of: owner) }
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
        try mayDie { try store.deleteUpload(name, of: owner) }
    }

    func deleteSome(of owner: AccountID) throws -> Bool {
        try mayDie { try store.deleteSome(of: owner) }
    }

    func intactSegments(of upload: StoredUpload, of owner: AccountID) throws -> Int {
        let count = try store.intactSegments(of: upload, of: owner)
        note(upload, of: owner, count)
        return count
    }

    private func note(_ upload: StoredUpload, of owner: AccountID, _ count: Int) {
        var status = stat()
        let name = "\(owner.description.prefix(32))-\(upload.name)"
        guard stat("\(folder.path)/blobs/uploads/\(name)", &status) == 0 else { return }
        let isShort = UInt64(status.st_size) < upload.length
        let isWhole = count == upload.segments.count
        let state = isWhole ? "whole" : isShort ? "cut off" : "with holes"
        leftovers.add("uploads found \(state) after a crash")
        if !isWhole, count > 0 { leftovers.add("uploads that go on after a crash") }
    }

    func read(_ name: BlobName, of owner: AccountID, offset: UInt64, count: Int) throws
        -> ByteBuffer
    {
        try store.read(name, of: owner, offset: offset, count: count)
    }
}

/// What the server found of uploads when it began to ask, for the tally.
final class Leftovers: Sendable {
    private let found = Mutex<[String]>([])

    func add(_ what: String) {
        found.withLock { $0.append(what) }
    }

    func take() -> [String] {
        found.withLock { found in
            defer { found = [] }
            return found
        }
    }
}
