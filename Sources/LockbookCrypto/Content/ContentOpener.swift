import Crypto
import FoundationEssentials

/// Turns a blob back into plaintext, piece by piece, and gives out nothing that is not verified.
///
/// What `finish()` has not confirmed may still be cut short: a caller that needs all or nothing
/// writes to a temporary place until then.
package struct ContentOpener {
    private let sealingKey: SymmetricKey
    private let commitment: Hash256
    private let expectedSize: UInt64
    private var decompressor: ZstdDecompressor?
    private var digester: ContentDigester?
    private var pending: [UInt8] = []
    private var headerRead = false
    private var counter: UInt64 = 0
    private var size: UInt64 = 0
    private var payload: UInt64 = 0
    // The end of what was opened: padding and trailer, once the payload is over.
    private var tail: [UInt8] = []
    private var tailByteCount: UInt64 = 0
    private var tailIsZero = true

    /// - Parameters:
    ///   - size: the plaintext's length as the sealed body tells it.
    ///   - binding: as given to `ContentSealer`.
    ///   - chunkKey: what the key gives, where that is known already.
    ///   - isDigested: whether the plaintext's digest is worked out, for a caller who compares it. Without,
    ///     the text is what somebody sealed with this key as this version, if not what its record tells.
    package init(
        key: ContentKey,
        compression: ContentCompression,
        size: UInt64,
        bound binding: [UInt8],
        chunkKey: ChunkKey? = nil,
        isDigested: Bool = true
    ) throws {
        let chunkKey = chunkKey ?? key.chunkKey(compression: compression, bound: binding)
        (sealingKey, commitment) = (chunkKey.key, chunkKey.commitment)
        expectedSize = size
        decompressor = compression == .zstd ? try ZstdDecompressor() : nil
        digester = isDigested ? key.digester() : nil
    }

    /// Takes the next bytes of the blob.
    /// - Parameter sink: gets plaintext that is verified as far as its chunk, in pieces of up to
    ///   128 KiB however far a chunk inflates.
    /// - Throws: `OpeningFailure`, and what the sink throws.
    package mutating func update(
        _ bytes: [UInt8],
        into sink: (_ plaintext: [UInt8]) throws -> Void
    ) throws {
        pending.append(contentsOf: bytes)
        var start = 0
        if !headerRead {
            guard pending.count > ContentFormat.headerByteCount else { return }
            guard pending[0] == ContentFormat.version else { throw OpeningFailure.malformed }
            guard let found = Hash256(pending[1..<33]), ConstantTime.equal(found, commitment) else {
                throw OpeningFailure.wrongKey
            }
            headerRead = true
            start = ContentFormat.headerByteCount
        }
        let sealedChunk = ContentFormat.chunkByteCount + ContentFormat.tagByteCount
        while pending.count - start > sealedChunk {
            let chunk = try open(pending[start..<start + sealedChunk], last: false)
            try take(chunk, into: sink)
            start += sealedChunk
        }
        pending.removeFirst(start)
    }

    /// Ends the blob: opens the last chunk and checks every announced length.
    /// - Parameter sink: gets the last plaintext.
    /// - Returns: the digest of all plaintext, for the caller to compare; nil when none was asked for.
    package mutating func finish(into sink: (_ plaintext: [UInt8]) throws -> Void) throws
        -> Hash256?
    {
        // An empty last chunk would be a second form of the same content.
        guard headerRead, pending.count > ContentFormat.tagByteCount else {
            throw OpeningFailure.malformed
        }
        try take(try open(pending[...], last: true), into: sink)
        guard size == expectedSize, tail.count == ContentFormat.trailerByteCount, tailIsZero else {
            throw OpeningFailure.malformed
        }
        var trailer = CanonicalDecoder(tail)
        guard (try? trailer.uint64()) == payload, (try? trailer.uint64()) == size,
            let total = Int(exactly: payload + tailByteCount),
            let minimum = Int(exactly: payload + UInt64(ContentFormat.trailerByteCount)),
            ContentFormat.padme(minimum) == total
        else { throw OpeningFailure.malformed }
        return digester?.finish()
    }

    private mutating func open(_ sealed: ArraySlice<UInt8>, last: Bool) throws(OpeningFailure)
        -> [UInt8]
    {
        do {
            let nonce = try ContentFormat.nonce(counter: counter, last: last)
            let box = try AES.GCM.SealedBox(
                nonce: nonce,
                ciphertext: sealed.dropLast(ContentFormat.tagByteCount),
                tag: sealed.suffix(ContentFormat.tagByteCount)
            )
            counter += 1
            return Array(try AES.GCM.open(box, using: sealingKey))
        } catch {
            throw .doesNotOpen
        }
    }

    /// Splits what was opened into payload and tail, and inflates the payload within its bound.
    private mutating func take(
        _ opened: [UInt8],
        into sink: (_ plaintext: [UInt8]) throws -> Void
    ) throws {
        let used: Int
        let room = expectedSize - size
        if var decompressor {
            do {
                used = try decompressor.update(opened, atMost: room) { piece in
                    size += UInt64(piece.count)
                    digester?.update(piece)
                    try sink(piece)
                }
            } catch is ZstdFailure {
                throw OpeningFailure.malformed
            }
            self.decompressor = decompressor
        } else {
            used = Int(min(UInt64(opened.count), room))
            let plaintext = Array(opened[..<used])
            size += UInt64(used)
            digester?.update(plaintext)
            if used > 0 { try sink(plaintext) }
        }
        payload += UInt64(used)
        noteTail(opened[used...])
    }

    private mutating func noteTail(_ bytes: ArraySlice<UInt8>) {
        tailByteCount += UInt64(bytes.count)
        tail.append(contentsOf: bytes)
        let excess = tail.count - ContentFormat.trailerByteCount
        guard excess > 0 else { return }
        if tail[..<excess].contains(where: { $0 != 0 }) { tailIsZero = false }
        tail.removeFirst(excess)
    }
}

extension ContentOpener {
    /// Takes the next bytes of a blob whose plaintext is small enough to be held.
    package mutating func update(_ bytes: [UInt8]) throws -> [UInt8] {
        var plaintext: [UInt8] = []
        try update(bytes) { plaintext.append(contentsOf: $0) }
        return plaintext
    }

    /// Ends such a blob.
    /// - Returns: the last plaintext, and the digest of all.
    package mutating func finish() throws -> (bytes: [UInt8], digest: Hash256?) {
        var plaintext: [UInt8] = []
        let digest = try finish { plaintext.append(contentsOf: $0) }
        return (plaintext, digest)
    }

    /// Opens a whole blob that is at hand.
    package static func open(
        _ blob: [UInt8],
        key: ContentKey,
        compression: ContentCompression,
        size: UInt64,
        digest: Hash256,
        bound binding: [UInt8]
    ) throws -> [UInt8] {
        var opener = try ContentOpener(
            key: key,
            compression: compression,
            size: size,
            bound: binding
        )
        var plaintext = try opener.update(blob)
        let (last, found) = try opener.finish()
        plaintext.append(contentsOf: last)
        guard found == digest else { throw OpeningFailure.malformed }
        return plaintext
    }
}
