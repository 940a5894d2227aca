package import LockbookCrypto
package import LockbookModel
package import NIOCore

/// What is on its way: an upload is a file that is written in segments, and becomes a whole blob.
extension DiskBlobStore {
    /// Left for what is said of an upload, and for the changes of others.
    private static let reserve: UInt64 = 1 << 20

    func uploadPath(_ name: BlobName, of owner: AccountID) -> String {
        "\(folder)/uploads/\(owner.description.prefix(32))-\(name)"
    }

    package func hasRoom(for upload: StoredUpload, of owner: AccountID) throws -> Bool {
        let path = uploadPath(upload.name, of: owner)
        var came: UInt64 = 0
        if SystemFolder.exists(path) {
            came = try SystemFile.with(path, .reading) { $0.byteCount }
        }
        let wanted = upload.length - min(upload.length, came) + Self.reserve
        return try SystemFolder.availableByteCount("\(folder)/uploads") >= wanted
    }

    package func begin(_ name: BlobName, of owner: AccountID) throws -> Bool {
        let path = uploadPath(name, of: owner)
        guard !SystemFolder.exists(path) else { return false }
        let whole = place(of: name, of: owner).path
        if SystemFolder.isFile(whole) {
            try SystemFolder.rename(whole, to: path)
        } else {
            try SystemFile(path, .making).close()
        }
        return true
    }

    package func write(
        _ bytes: ByteBufferView,
        at offset: UInt64,
        to name: BlobName,
        of owner: AccountID
    ) throws -> Bool {
        do {
            // Never made here: where another request finished the upload, there would be a second file
            // with this part alone, to take the place of the good one.
            try SystemFile.with(uploadPath(name, of: owner), .writing) { file in
                try bytes.withUnsafeBytes { try file.write($0, at: offset) }
            }
            return true
        } catch let failure as SystemFailure where failure.isMissing {
            return false
        }
    }

    package func intactSegments(of upload: StoredUpload, of owner: AccountID) throws -> Int {
        let path = uploadPath(upload.name, of: owner)
        guard SystemFolder.exists(path) else { return 0 }
        return try SystemFile.with(path, .reading) { file in
            let segment = ContentFormat.segmentByteCount
            var buffer = [UInt8](repeating: 0, count: segment)
            for (index, digest) in upload.segments.enumerated() {
                let offset = UInt64(index) * UInt64(segment)
                let wanted = Int(min(UInt64(segment), upload.length - offset))
                let count = try buffer.withUnsafeMutableBytes {
                    try file.read(into: $0, at: offset)
                }
                guard count >= wanted, Hash256(sha256: buffer[..<wanted]) == digest else {
                    return index
                }
            }
            return upload.segments.count
        }
    }

    package func flush(_ name: BlobName, of owner: AccountID) throws {
        do {
            try synchronizeFile(uploadPath(name, of: owner))
        } catch let failure as SystemFailure where failure.isMissing {
            // Another request has finished it.
            return
        }
    }

    package func finish(_ name: BlobName, of owner: AccountID) throws {
        let place = place(of: name, of: owner)
        let path = uploadPath(name, of: owner)
        try SystemFolder.make(place.folder)
        try synchronizeFile(path)
        try SystemFolder.rename(path, to: place.path)
        try synchronize([place.folder], of: owner, holding: [place.path])
    }

    /// Makes a file durable, or removes it: what is read of it after that failed may not be on the disk.
    private func synchronizeFile(_ path: String) throws {
        do {
            try SystemFile.with(path, .writing) { try $0.synchronize() }
        } catch let failure as SystemFailure where failure.isOfSynchronizing {
            try? SystemFolder.remove(path)
            throw failure
        }
    }

    package func uploads(of owners: [AccountID], before time: Int64) throws
        -> [(owner: AccountID, name: BlobName)]
    {
        let known = Dictionary(owners.map { (String($0.description.prefix(32)), $0) }) { $1 }
        return try Self.names(in: "\(folder)/uploads", before: time) { file in
            let parts = file.split(separator: "-", omittingEmptySubsequences: false)
            guard parts.count == 2, let owner = known[String(parts[0])],
                let name = BlobName(parts[1])
            else { return nil }
            return (owner, name)
        }
    }

    package func deleteUpload(_ name: BlobName, of owner: AccountID) throws {
        try SystemFolder.remove(uploadPath(name, of: owner))
    }
}
