import Crypto
import FoundationEssentials

/// What sealing found out about a content.
package struct SealedContentFacts: Equatable, Sendable {
    package let size: UInt64
    package let digest: Hash256
    package let blob: BlobName
    package let blobByteCount: UInt64
    package let compression: ContentCompression
}

/// Turns the plaintext of one document version into a blob, piece by piece, in constant memory.
///
/// The order is compress, pad, seal: `docs/FORMAT.md` section 5. Compressing looks at one document
/// alone, so its size says nothing about another's.
package struct ContentSealer {
    private let sealingKey: SymmetricKey
    private let compression: ContentCompression
    private var compressor: ZstdCompressor?
    private var digester: ContentDigester
    private var namer = BlobNamer()
    private var pending: [UInt8] = []
    private var counter: UInt64 = 0
    private var size: UInt64 = 0
    private var payload: UInt64 = 0
    private var produced: UInt64 = 0
    private var output: [UInt8] = []

    /// - Parameter binding: what the content belongs to (owner, file, version), as canonical bytes.
    package init(key: ContentKey, compression: ContentCompression, bound binding: [UInt8]) throws {
        try self.init(key: key, compression: compression, bound: binding, streaming: true)
    }

    private init(
        key: ContentKey,
        compression: ContentCompression,
        bound binding: [UInt8],
        streaming: Bool
    ) throws {
        let chunkKey = key.chunkKey(compression: compression, bound: binding)
        sealingKey = chunkKey.key
        self.compression = compression
        compressor = streaming && compression == .zstd ? try ZstdCompressor() : nil
        digester = key.digester()
        emit([ContentFormat.version] + chunkKey.commitment.bytes)
    }

    /// Whether compressing pays, judged by the beginning of a content.
    package static func compression(forBeginning sample: [UInt8]) throws -> ContentCompression {
        guard sample.count >= 64 else { return .none }
        return pays(try ZstdCompressor.frame(of: sample).count, insteadOf: sample.count)
            ? .zstd : .none
    }

    private static func pays(_ compressed: Int, insteadOf plain: Int) -> Bool {
        compressed < plain - plain / 16
    }

    /// Takes the next bytes of plaintext.
    /// - Returns: the bytes of the blob that are ready.
    package mutating func update(_ plaintext: [UInt8]) throws -> [UInt8] {
        digester.update(plaintext)
        size += UInt64(plaintext.count)
        if compressor != nil {
            try addPayload(compressor?.update(plaintext) ?? [])
        } else {
            try addPayload(plaintext)
        }
        return takeOutput()
    }

    /// Ends the content.
    /// - Returns: the last bytes of the blob, and what is known of the whole.
    package mutating func finish() throws -> (bytes: [UInt8], facts: SealedContentFacts) {
        if compressor != nil { try addPayload(compressor?.finish() ?? []) }
        let length = Int(payload)
        let padded = ContentFormat.padme(length + ContentFormat.trailerByteCount)
        var padding = padded - length - ContentFormat.trailerByteCount
        while padding > 0 {
            let piece = min(padding, ContentFormat.chunkByteCount)
            try fill(Array(repeating: 0, count: piece))
            padding -= piece
        }
        var trailer = CanonicalEncoder(reserving: ContentFormat.trailerByteCount)
        trailer.append(payload)
        trailer.append(size)
        try fill(trailer.bytes)
        try sealChunk(pending[...], last: true)
        pending = []
        let last = takeOutput()
        let facts = SealedContentFacts(
            size: size,
            digest: digester.finish(),
            blob: namer.finish(),
            blobByteCount: produced,
            compression: compression
        )
        return (last, facts)
    }

    private mutating func addPayload(_ bytes: [UInt8]) throws {
        payload += UInt64(bytes.count)
        try fill(bytes)
    }

    /// Keeps at least one byte back, because only the end knows which chunk is the last.
    private mutating func fill(_ bytes: [UInt8]) throws {
        var rest = bytes[...]
        while pending.count + rest.count > ContentFormat.chunkByteCount {
            let taken = ContentFormat.chunkByteCount - pending.count
            if pending.isEmpty {
                try sealChunk(rest.prefix(taken), last: false)
            } else {
                pending.append(contentsOf: rest.prefix(taken))
                try sealChunk(pending[...], last: false)
                pending.removeAll(keepingCapacity: true)
            }
            rest = rest.dropFirst(taken)
        }
        pending.append(contentsOf: rest)
    }

    private mutating func sealChunk(_ chunk: ArraySlice<UInt8>, last: Bool) throws {
        let box = try AES.GCM.seal(
            chunk,
            using: sealingKey,
            nonce: ContentFormat.nonce(counter: counter, last: last)
        )
        counter += 1
        emit(Array(box.ciphertext))
        emit(Array(box.tag))
    }

    private mutating func emit(_ bytes: [UInt8]) {
        namer.update(bytes)
        produced += UInt64(bytes.count)
        output.append(contentsOf: bytes)
    }

    private mutating func takeOutput() -> [UInt8] {
        defer { output = [] }
        return output
    }
}

extension ContentSealer {
    /// Seals a whole content that is at hand.
    package static func seal(_ plaintext: [UInt8], key: ContentKey, bound binding: [UInt8]) throws
        -> (blob: [UInt8], facts: SealedContentFacts)
    {
        let frame = plaintext.count >= 64 ? try ZstdCompressor.frame(of: plaintext) : plaintext
        let pays = Self.pays(frame.count, insteadOf: plaintext.count)
        var sealer = try ContentSealer(
            key: key,
            compression: pays ? .zstd : .none,
            bound: binding,
            streaming: false
        )
        sealer.digester.update(plaintext)
        sealer.size = UInt64(plaintext.count)
        try sealer.addPayload(pays ? frame : plaintext)
        let (blob, facts) = try sealer.finish()
        return (blob, facts)
    }
}
