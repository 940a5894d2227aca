package import LockbookCrypto

/// A blob as a record names it.
package struct BlobReference: Hashable, Sendable {
    package var name: BlobName
    /// Bytes of ciphertext, padding included.
    package var size: UInt64

    package init(name: BlobName, size: UInt64) {
        self.name = name
        self.size = size
    }
}

/// What everybody who holds a record can see of a file, the server included.
package struct FileFacts: Equatable, Sendable {
    package static let format: UInt8 = 1

    /// Far beyond what happens, and as far from where counting ends: what others write is added up.
    package static let maximumEpoch: UInt32 = 1 << 31 - 1
    /// In bytes.
    package static let maximumBlobSize: UInt64 = 1 << 40

    package var owner: AccountID
    package var id: FileID
    package var parent: FileID
    package var type: FileType
    package var scope: FileID
    /// The generation of the file's own key.
    package var epoch: UInt32
    /// The generation of the parent's key under which this file's key is wrapped.
    package var parentEpoch: UInt32
    package var nameTag: Hash256
    package var isDeleted: Bool
    package var blob: BlobReference?
    package var author: AccountID
    package var device: DeviceID

    package init(
        owner: AccountID,
        id: FileID,
        parent: FileID,
        type: FileType,
        scope: FileID,
        epoch: UInt32,
        parentEpoch: UInt32,
        nameTag: Hash256,
        isDeleted: Bool,
        blob: BlobReference?,
        author: AccountID,
        device: DeviceID
    ) {
        self.owner = owner
        self.id = id
        self.parent = parent
        self.type = type
        self.scope = scope
        self.epoch = epoch
        self.parentEpoch = parentEpoch
        self.nameTag = nameTag
        self.isDeleted = isDeleted
        self.blob = blob
        self.author = author
        self.device = device
    }

    func encode(into encoder: inout CanonicalEncoder) {
        encoder.append(Self.format)
        encoder.append(owner.hash)
        encoder.append(fixed: id.bytes)
        encoder.append(fixed: parent.bytes)
        encoder.append(type.rawValue)
        encoder.append(fixed: scope.bytes)
        encoder.append(epoch)
        encoder.append(parentEpoch)
        encoder.append(nameTag)
        encoder.append(isDeleted)
        encoder.append(blob != nil)
        if let blob {
            encoder.append(blob.name.hash)
            encoder.append(blob.size)
        }
        encoder.append(author.hash)
        encoder.append(fixed: device.bytes)
    }

    init(from decoder: inout CanonicalDecoder) throws(DecodingFailure) {
        try decoder.format(known: Self.format)
        owner = AccountID(hash: try decoder.hash())
        id = FileID(exactly: try decoder.fixed(16))
        parent = FileID(exactly: try decoder.fixed(16))
        guard let type = FileType(rawValue: try decoder.byte()) else {
            throw .invalid(field: "type")
        }
        self.type = type
        scope = FileID(exactly: try decoder.fixed(16))
        epoch = try decoder.uint32()
        parentEpoch = try decoder.uint32()
        nameTag = try decoder.hash()
        isDeleted = try decoder.bool("deleted")
        if try decoder.bool("blob") {
            let name = BlobName(hash: try decoder.hash())
            let size = try decoder.uint64()
            guard size <= Self.maximumBlobSize else { throw .invalid(field: "blob") }
            blob = BlobReference(name: name, size: size)
        }
        author = AccountID(hash: try decoder.hash())
        guard let device = DeviceID(try decoder.fixed(16)) else { throw .length }
        self.device = device
        let epochs = 1...Self.maximumEpoch
        guard epochs ~= epoch, epochs ~= parentEpoch else { throw .invalid(field: "epoch") }
        guard blob == nil || type == .document else { throw .invalid(field: "blob") }
    }
}
