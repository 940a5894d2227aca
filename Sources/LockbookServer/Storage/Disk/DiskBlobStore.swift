package import LockbookCrypto
package import LockbookModel
package import NIOCore

/// Blobs as files, named by their hash, in a folder for each owner.
///
///     FOLDER/OWNER/ab/abcd…       whole blobs
///     FOLDER/uploads/OWNER-abcd…  what is on its way
package struct DiskBlobStore: BlobStore {
    /// Files that are removed while others wait, which takes some hundredths of a second.
    static let deletedTogether = 100

    let folder: String

    package init(folder: String) throws {
        self.folder = folder
        try SystemFolder.make("\(folder)/uploads")
        // Nobody is about to put anything yet: these are of a process that was killed.
        for name in try SystemFolder.names(in: "\(folder)/uploads")
        where name.hasSuffix(Self.half) {
            try SystemFolder.remove("\(folder)/uploads/\(name)")
        }
    }

    /// Blobs that are looked at and nothing else, whoever puts some meanwhile.
    init(reading folder: String) {
        self.folder = folder
    }

    /// Whether a folder of blobs has one of an owner, which is there since the first whole blob.
    static func holdsContents(_ folder: String) throws -> Bool {
        guard SystemFolder.exists(folder) else { return false }
        return try SystemFolder.names(in: folder).contains { $0.utf8.count == 32 }
    }

    /// Ends the names of whole blobs that are being written.
    private static let half = ".whole"

    func place(of name: BlobName, of owner: AccountID) -> (folder: String, path: String) {
        let text = name.description
        let folder = "\(folder)/\(owner.description.prefix(32))/\(text.prefix(2))"
        return (folder, "\(folder)/\(text)")
    }

    /// Where a whole blob is, in the folder of all.
    func location(of name: BlobName, of owner: AccountID) -> String {
        String(place(of: name, of: owner).path.dropFirst(folder.count + 1))
    }

    package func put(_ blobs: [(name: BlobName, bytes: [UInt8])], of owner: AccountID) throws {
        var folders: Set<String> = []
        var paths: [String] = []
        for blob in blobs {
            let place = place(of: blob.name, of: owner)
            // Also for one that is there: who put it may have been killed before its name was
            // durable.
            folders.insert(place.folder)
            guard !Self.holds(place.path, blob.bytes) else { continue }
            try SystemFolder.make(place.folder)
            // One blob is never written twice at a time under the same temporary name: its
            // writers hold the lock of `BlobPlacing`.
            let temporary = uploadPath(blob.name, of: owner) + Self.half
            do {
                try SystemFile.with(temporary, .replacing) { file in
                    try blob.bytes.withUnsafeBytes { try file.write($0, at: 0) }
                    try file.synchronize()
                }
                try SystemFolder.rename(temporary, to: place.path)
                paths.append(place.path)
            } catch {
                try? SystemFolder.remove(temporary)
                throw error
            }
        }
        try synchronize(folders, of: owner, holding: paths)
    }

    /// Whether a file has these bytes: one that a disk cut off, or changed, gives way to what is put.
    private static func holds(_ path: String, _ bytes: [UInt8]) -> Bool {
        let isSame = try? SystemFile.with(path, .reading) { file in
            guard file.byteCount == UInt64(bytes.count) else { return false }
            var found = [UInt8](repeating: 0, count: bytes.count)
            let count = try found.withUnsafeMutableBytes { try file.read(into: $0, at: 0) }
            return count == bytes.count && found == bytes
        }
        return isSame ?? false
    }

    /// The folders of the files, and the ones that hold those in case they are new.
    /// - Parameter paths: what came into these folders, and goes where the disk does not take that: whoever
    ///   tried once more would be told that it did.
    func synchronize(
        _ folders: Set<String>,
        of owner: AccountID,
        holding paths: [String] = []
    ) throws {
        guard !folders.isEmpty else { return }
        do {
            for folder in folders { try SystemFolder.synchronize(folder) }
            try SystemFolder.synchronize("\(folder)/\(owner.description.prefix(32))")
            try SystemFolder.synchronize(folder)
        } catch let failure as SystemFailure where failure.isOfSynchronizing {
            for path in paths { try? SystemFolder.remove(path) }
            throw failure
        }
    }

    package func read(_ name: BlobName, of owner: AccountID, offset: UInt64, count: Int) throws
        -> ByteBuffer
    {
        do {
            return try SystemFile.with(place(of: name, of: owner).path, .reading) { file in
                var buffer = ByteBufferAllocator().buffer(capacity: count)
                try buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: count) { space in
                    try file.read(
                        into: UnsafeMutableRawBufferPointer(rebasing: space[..<count]),
                        at: offset
                    )
                }
                guard buffer.readableBytes == count else {
                    throw UnreadableBlob(reason: "it ends after \(file.byteCount) bytes")
                }
                return buffer
            }
        } catch let failure as SystemFailure where failure.isOfPath {
            throw UnreadableBlob(reason: "\(failure)")
        }
    }

    package func delete(_ name: BlobName, of owner: AccountID) throws {
        try SystemFolder.remove(place(of: name, of: owner).path)
    }

    package func blobs(of owner: AccountID, before time: Int64) throws -> [BlobName] {
        let own = "\(folder)/\(owner.description.prefix(32))"
        guard SystemFolder.exists(own) else { return [] }
        return try SystemFolder.names(in: own).filter { $0.utf8.count == 2 }.flatMap { part in
            try Self.names(in: "\(own)/\(part)", before: time) { BlobName($0) }
        }
    }

    /// What the names of those files in a folder say that were last written before a time.
    static func names<Name>(
        in folder: String,
        before time: Int64,
        _ parse: (Substring) -> Name?
    ) throws -> [Name] {
        try SystemFolder.names(in: folder).compactMap { file in
            guard let name = parse(file[...]),
                let written = SystemFolder.modificationTime(of: "\(folder)/\(file)"),
                written < time
            else { return nil }
            return name
        }
    }

    /// Folders in the place of files of an account, which nobody here makes, or removes.
    func foldersInTheWay(of owner: AccountID) throws -> [String] {
        let own = "\(owner.description.prefix(32))"
        func names(in path: String) throws -> [String] {
            try SystemFolder.exists("\(folder)/\(path)")
                ? SystemFolder.names(in: "\(folder)/\(path)").map { "\(path)/\($0)" } : []
        }
        let uploads = try names(in: "uploads").filter { $0.hasPrefix("uploads/\(own)-") }
        return try (uploads + names(in: own).flatMap(names(in:)))
            .filter { SystemFolder.isFolder("\(folder)/\($0)") }
    }

    package func deleteSome(of owner: AccountID) throws -> Bool {
        let prefix = owner.description.prefix(32)
        var left = Self.deletedTogether
        // What does not go keeps nothing else.
        var stuck: SystemFailure?
        func remove(_ names: [String], in folder: String) -> Bool {
            for name in names where left > 0 {
                do throws(SystemFailure) {
                    try SystemFolder.remove("\(folder)/\(name)")
                    left -= 1
                } catch {
                    stuck = stuck ?? error.of(name.suffix(64))
                }
            }
            return left > 0
        }
        let uploads = try SystemFolder.names(in: "\(folder)/uploads")
            .filter { $0.hasPrefix("\(prefix)-") }
        guard remove(uploads, in: "\(folder)/uploads") else { return true }
        let own = "\(folder)/\(prefix)"
        for part in try SystemFolder.exists(own) ? SystemFolder.names(in: own) : [] {
            do throws(SystemFailure) {
                let names = try SystemFolder.names(in: "\(own)/\(part)")
                guard remove(names, in: "\(own)/\(part)") else { return true }
                try SystemFolder.removeFolder("\(own)/\(part)")
            } catch {
                stuck = stuck ?? error.of(part)
            }
        }
        if let stuck { throw stuck }
        try SystemFolder.removeFolder(own)
        try SystemFolder.synchronize(folder)
        return false
    }
}
