package import LockbookCrypto
package import LockbookModel
package import NIOCore

/// A blob that is named and whose bytes cannot be read: lost, cut off, or on a bad place of the disk.
package struct UnreadableBlob: Error, Equatable, Sendable {
    /// What is wrong, for the log.
    package var reason: String
}

/// How a whole blob's file is: as long as this stays the same, nothing was written to it.
package struct BlobFileState: Equatable, Sendable {
    package let byteCount: UInt64
    let number: UInt64
    /// When it was last changed, whatever it says of itself.
    let seconds: Int64
    let nanoseconds: Int64
}

/// Where blobs are kept that are too large for a row.
///
/// Every call blocks; `LockbookServer` makes them on threads of their own.
package protocol BlobStore: Sendable {
    /// Keeps whole blobs; they are durable when this returns.
    func put(_ blobs: [(name: BlobName, bytes: [UInt8])], of owner: AccountID) throws
    /// Whether an upload will fit, beside what else has to be written meanwhile.
    func hasRoom(for upload: StoredUpload, of owner: AccountID) throws -> Bool
    /// Makes the file of an upload, of which it is known that nothing names it as a whole blob.
    ///
    /// A whole one that was never named is taken for it.
    /// - Returns: whether there was none, so that nothing is true of it that was known of an earlier
    ///   one.
    func begin(_ name: BlobName, of owner: AccountID) throws -> Bool
    /// Writes a part of an upload that has begun; durable only when it is finished.
    /// - Returns: false when there is no such file, or not any more.
    func write(_ bytes: ByteBufferView, at offset: UInt64, to name: BlobName, of owner: AccountID)
        throws -> Bool
    /// How many segments at the start of an upload are there and have these digests.
    func intactSegments(of upload: StoredUpload, of owner: AccountID) throws -> Int
    /// Makes what came of an upload durable, if there is one, so that little of that is left to `finish`.
    func flush(_ name: BlobName, of owner: AccountID) throws
    /// Makes an upload durable and gives it its name.
    func finish(_ name: BlobName, of owner: AccountID) throws
    /// Reads bytes of a whole blob.
    /// - Throws: `UnreadableBlob` when something is wrong with this blob, and not with all of them.
    func read(_ name: BlobName, of owner: AccountID, offset: UInt64, count: Int) throws
        -> ByteBuffer
    /// How the file of a whole blob is; nil where there is none, or what is no file.
    func state(of name: BlobName, of owner: AccountID) -> BlobFileState?
    /// Makes a whole blob durable that somebody else put there.
    /// - Throws: `UnreadableBlob` when something is wrong with this blob, as when it is gone.
    func makeDurable(_ name: BlobName, of owner: AccountID) throws
    func delete(_ name: BlobName, of owner: AccountID) throws
    /// The whole blobs of an account that were last written before a time, in seconds since 1970.
    func blobs(of owner: AccountID, before time: Int64) throws -> [BlobName]
    /// The uploads of these accounts that were last written before a time.
    func uploads(of owners: [AccountID], before time: Int64) throws
        -> [(owner: AccountID, name: BlobName)]
    func deleteUpload(_ name: BlobName, of owner: AccountID) throws
    /// Removes some of the files of an account, also where an earlier try was cut off.
    /// - Returns: whether any are left.
    func deleteSome(of owner: AccountID) throws -> Bool
}
