import LockbookCrypto

/// The part of a record that only members can read, in its canonical form.
enum FileBody {
    static let format: UInt8 = 1
    /// Lengths are rounded up to this, so that a name's length does not show.
    static let bucketByteCount = 64
    static let minimumByteCount = 192
    /// Beside it a record has room for all else that may come in: the longest name, a content, the key of before.
    static let maximumExtensionByteCount = 15_000

    /// What others wrote too long is cut, or left out.
    ///
    /// With it the file could be sealed no more: nobody could change it, or take a share back that it is in.
    static func encode(_ file: File) -> [UInt8] {
        let most = maximumExtensionByteCount
        let extra = file.bodyExtension.count > most ? [] : file.bodyExtension
        let isLong = file.deviceName.utf8.count + file.bodyExtension.count > most
        let deviceName = isLong ? DeviceName.plain(file.deviceName) : file.deviceName
        var encoder = CanonicalEncoder(reserving: 320)
        encoder.append(format)
        encoder.append(counted: file.name.text.utf8)
        encoder.append(file.created.milliseconds)
        encoder.append(file.modified.milliseconds)
        encoder.append(file.isExecutable)
        encoder.append(counted: deviceName.utf8)
        encoder.append(file.content != nil)
        if let content = file.content {
            encoder.append(fixed: content.version.bytes)
            encoder.append(fixed: content.key.bytes)
            encoder.append(content.digest)
            encoder.append(content.size)
            encoder.append(content.compression.rawValue)
        }
        encoder.append(file.target != nil)
        if let target = file.target {
            encoder.append(target.owner.hash)
            encoder.append(fixed: target.file.bytes)
        }
        encoder.append(counted: extra)
        let padded = paddedByteCount(encoder.bytes.count)
        encoder.pad(to: padded)
        return encoder.bytes
    }

    private static func paddedByteCount(_ count: Int) -> Int {
        let buckets = (count + bucketByteCount - 1) / bucketByteCount
        return max(minimumByteCount, buckets * bucketByteCount)
    }

    /// Puts a record's clear facts and its opened body together.
    static func decode(_ body: [UInt8], facts: FileFacts) throws -> File {
        var decoder = CanonicalDecoder(body)
        try decoder.format(known: format)
        let name = try FileName(bytes: try decoder.counted())
        let created = Timestamp(milliseconds: try decoder.int64())
        let modified = Timestamp(milliseconds: try decoder.int64())
        let isExecutable = try decoder.bool("executable")
        guard let deviceName = String(validating: try decoder.counted(), as: UTF8.self) else {
            throw DecodingFailure.invalid(field: "device name")
        }
        var file = File(
            id: facts.id,
            parent: facts.parent,
            type: facts.type,
            name: name,
            at: modified,
            author: facts.author,
            device: facts.device,
            deviceName: deviceName,
            scope: facts.scope,
            epoch: facts.epoch,
            parentEpoch: facts.parentEpoch
        )
        file.created = created
        file.isExecutable = isExecutable
        file.isDeleted = facts.isDeleted
        file.content = try content(&decoder, facts: facts)
        if try decoder.bool("target") {
            let owner = AccountID(hash: try decoder.hash())
            guard let target = FileID(try decoder.fixed(16)), facts.type == .link else {
                throw DecodingFailure.invalid(field: "target")
            }
            file.target = LinkTarget(owner: owner, file: target)
        } else if facts.type == .link {
            throw DecodingFailure.invalid(field: "target")
        }
        file.bodyExtension = Array(try decoder.counted())
        guard body.count == paddedByteCount(decoder.consumed.count),
            try decoder.fixed(decoder.remaining).allSatisfy({ $0 == 0 })
        else {
            throw DecodingFailure.invalid(field: "padding")
        }
        return file
    }

    private static func content(_ decoder: inout CanonicalDecoder, facts: FileFacts) throws
        -> Content?
    {
        guard try decoder.bool("content") else {
            guard facts.blob == nil else { throw DecodingFailure.invalid(field: "blob") }
            return nil
        }
        guard let blob = facts.blob, facts.type == .document,
            let version = VersionID(try decoder.fixed(16)),
            let key = ContentKey(try decoder.fixed(32))
        else { throw DecodingFailure.invalid(field: "content") }
        let digest = try decoder.hash()
        let size = try decoder.uint64()
        // No disk holds more; sums of sizes stay numbers.
        guard size <= UInt64(Int64.max) else { throw DecodingFailure.invalid(field: "size") }
        guard let compression = ContentCompression(rawValue: try decoder.byte()) else {
            throw DecodingFailure.invalid(field: "compression")
        }
        return Content(
            version: version,
            key: key,
            digest: digest,
            size: size,
            compression: compression,
            blob: blob.name,
            blobSize: blob.size
        )
    }
}
