/// Sections 4 to 6 of docs/FORMAT.md.
package struct SecondFileKey {
    package let bytes: Bytes

    package init(_ bytes: Bytes) { self.bytes = bytes }

    package var wrapKey: Bytes { OpenSSL.expand(bytes, ascii("lockbook/v1/wrap-key"), 32) }
    package var tagKey: Bytes { OpenSSL.expand(bytes, ascii("lockbook/v1/tag-key"), 32) }
    package var previousKey: Bytes { OpenSSL.expand(bytes, ascii("lockbook/v1/previous-key"), 32) }
    private var body: Bytes { OpenSSL.expand(bytes, ascii("lockbook/v1/body-key"), 64) }
    package var bodyKey: Bytes { Bytes(body.prefix(32)) }
    package var commitment: Bytes { Bytes(body.suffix(32)) }
}

package struct SecondFacts: Equatable {
    package var owner: Bytes
    package var id: Bytes
    package var parent: Bytes
    package var type: UInt8
    package var scope: Bytes
    package var epoch: UInt32 = 1
    package var parentEpoch: UInt32 = 1
    package var nameTag: Bytes
    package var isDeleted = false
    package var blob: (name: Bytes, size: UInt64)?
    package var author: Bytes
    package var device: Bytes

    package init(
        owner: Bytes,
        id: Bytes,
        parent: Bytes,
        type: UInt8,
        scope: Bytes,
        nameTag: Bytes,
        author: Bytes,
        device: Bytes
    ) {
        self.owner = owner
        self.id = id
        self.parent = parent
        self.type = type
        self.scope = scope
        self.nameTag = nameTag
        self.author = author
        self.device = device
    }

    package static func == (left: SecondFacts, right: SecondFacts) -> Bool {
        left.bytes == right.bytes
    }

    package var bytes: Bytes {
        [1] + owner + id + parent + [type] + scope + u32(epoch) + u32(parentEpoch) + nameTag
            + [isDeleted ? 1 : 0, blob == nil ? 0 : 1]
            + (blob.map { $0.name + u64($0.size) } ?? []) + author + device
    }

    fileprivate init(_ reader: inout Reader) throws {
        try reader.format()
        owner = try reader.take(32)
        id = try reader.take(16)
        parent = try reader.take(16)
        type = UInt8(try reader.number(1))
        scope = try reader.take(16)
        epoch = UInt32(try reader.number(4))
        parentEpoch = UInt32(try reader.number(4))
        nameTag = try reader.take(32)
        isDeleted = try reader.bool()
        if try reader.bool() { blob = (try reader.take(32), try reader.number(8)) }
        author = try reader.take(32)
        device = try reader.take(16)
    }

    fileprivate var wrapBinding: Bytes {
        label("wrap") + owner + id + parent + u32(parentEpoch) + u32(epoch) + [type]
    }

    fileprivate var previousBinding: Bytes { label("previous") + owner + id + u32(epoch) }
}

/// The content's fields in a body.
package struct SecondContent: Equatable {
    package var version: Bytes
    package var key: Bytes
    package var digest: Bytes
    package var size: UInt64
    package var compression: UInt8

    package init(version: Bytes, key: Bytes, digest: Bytes, size: UInt64, compression: UInt8) {
        self.version = version
        self.key = key
        self.digest = digest
        self.size = size
        self.compression = compression
    }
}

package struct SecondBody: Equatable {
    package var name: Bytes
    package var created: Int64 = 0
    package var modified: Int64 = 0
    package var isExecutable = false
    package var deviceName: Bytes = []
    package var content: SecondContent?
    package var target: Bytes?
    package var extra: Bytes = []

    package init(name: Bytes) { self.name = name }

    package var bytes: Bytes {
        var bytes: Bytes = [1] + counted(name) + i64(created) + i64(modified)
        bytes += [isExecutable ? 1 : 0] + counted(deviceName)
        bytes.append(content == nil ? 0 : 1)
        if let content {
            bytes += content.version + content.key + content.digest + u64(content.size)
            bytes.append(content.compression)
        }
        bytes += target.map { [1] + $0 } ?? [0]
        bytes += counted(extra)
        let length = max(192, (bytes.count + 63) / 64 * 64)
        return bytes + Bytes(repeating: 0, count: length - bytes.count)
    }

    package init(_ bytes: Bytes) throws {
        var reader = Reader(bytes)
        try reader.format()
        name = try reader.counted()
        created = Int64(bitPattern: try reader.number(8))
        modified = Int64(bitPattern: try reader.number(8))
        isExecutable = try reader.bool()
        deviceName = try reader.counted()
        if try reader.bool() {
            content = SecondContent(
                version: try reader.take(16),
                key: try reader.take(32),
                digest: try reader.take(32),
                size: try reader.number(8),
                compression: UInt8(try reader.number(1))
            )
        }
        if try reader.bool() { target = try reader.take(48) }
        extra = try reader.counted()
        guard self.bytes == bytes else { throw FormatError() }
    }
}

package struct SecondRecord {
    package let facts: SecondFacts
    package let bytes: Bytes
    private let wrap: Bytes
    private let previous: Bytes?
    private let commitment: Bytes
    private let body: Bytes

    package var hash: Bytes { labelled("record", bytes) }

    package init(_ bytes: Bytes) throws {
        var reader = Reader(bytes)
        facts = try SecondFacts(&reader)
        wrap = try reader.take(60)
        previous = try reader.bool() ? try reader.take(60) : nil
        commitment = try reader.take(32)
        body = try reader.counted()
        _ = try reader.counted()
        try reader.finish()
        self.bytes = bytes
    }

    /// The bytes of a record.
    ///
    /// The nonces are the three that sealing needs, in the order of the fields.
    package static func seal(
        _ facts: SecondFacts,
        _ body: SecondBody,
        key: SecondFileKey,
        previous: SecondFileKey? = nil,
        under wrapKey: Bytes,
        nonces: [Bytes],
        sealedBody: Bytes? = nil
    ) -> Bytes {
        var bytes = facts.bytes
        bytes += SecondImplementation.seal(key.bytes, wrapKey, nonce: nonces[0], facts.wrapBinding)
        bytes.append(previous == nil ? 0 : 1)
        if let previous {
            bytes += SecondImplementation.seal(
                previous.bytes,
                key.previousKey,
                nonce: nonces[1],
                facts.previousBinding
            )
        }
        bytes += key.commitment
        bytes += counted(
            SecondImplementation.seal(
                sealedBody ?? body.bytes,
                key.bodyKey,
                nonce: nonces[2],
                label("body") + facts.bytes
            )
        )
        return bytes + counted([])
    }

    package func key(under wrapKey: Bytes) -> SecondFileKey? {
        open(wrap, wrapKey, facts.wrapBinding).map { SecondFileKey($0) }
    }

    package func previousKey(_ key: SecondFileKey) -> SecondFileKey? {
        previous.flatMap { open($0, key.previousKey, facts.previousBinding) }
            .map { SecondFileKey($0) }
    }

    /// Opens the body and checks the name's tag.
    package func body(key: SecondFileKey, tagKey: Bytes, normalized: (Bytes) -> Bytes) throws
        -> SecondBody
    {
        guard commitment == key.commitment,
            let opened = open(body, key.bodyKey, label("body") + facts.bytes)
        else { throw FormatError() }
        let body = try SecondBody(opened)
        guard OpenSSL.hmac(tagKey, normalized(body.name)) == facts.nameTag else {
            throw FormatError()
        }
        return body
    }
}
