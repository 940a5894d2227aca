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
    private var digester: ContentDigester
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
    package init(
        key: ContentKey, compression: ContentCompression, size: UInt64, bound binding: [UInt8]
    ) throws {
        (sealingKey, commitment) = key.chunkKey(compression: compression, bound: binding)
        expectedSize = size
        decompressor = compression == .zstd ? try ZstdDecompressor() : nil
        digester = key.digester()
    }

    /// Takes the next bytes of the blob.
    /// - Returns: plaintext that is verified as far as its chunk.
    package mutating func update(_ bytes: [UInt8]) throws(OpeningFailure) -> [UInt8] {
        pending.append(contentsOf: bytes)
        var start = 0
        if !headerRead {
            guard pending.count > ContentFormat.headerByteCount else { return [] }
            guard pending[0] == ContentFormat.version else { throw .malformed }
            guard let found = Hash256(pending[1..<33]), ConstantTime.equal(found, commitment) else {
                throw .wrongKey
            }
            headerRead = true
            start = ContentFormat.headerByteCount
        }
        var plaintext: [UInt8] = []
        let sealedChunk = ContentFormat.chunkByteCount + ContentFormat.tagByteCount
        while pending.count - start > sealedChunk {
            let chunk = try open(pending[start..<start + sealedChunk], last: false)
            plaintext.append(contentsOf: try take(chunk))
            start += sealedChunk
        }
        pending.removeFirst(start)
        return plaintext
    }

    /// Ends the blob: opens the last chunk and checks every announced length and the digest.
    /// - Returns: the last plaintext, and its digest.
    package mutating func finish() throws(OpeningFailure) -> (bytes: [UInt8], digest: Hash256) {
        guard headerRead, pending.count >= ContentFormat.tagByteCount else { throw .malformed }
        let plaintext = try take(try open(pending[...], last: true))
        guard size == expectedSize, tail.count == ContentFormat.trailerByteCount, tailIsZero else {
            throw .malformed
        }
        var trailer = CanonicalDecoder(tail)
        guard (try? trailer.uint64()) == payload, (try? trailer.uint64()) == size,
            let total = Int(exactly: payload + tailByteCount),
            let minimum = Int(exactly: payload + UInt64(ContentFormat.trailerByteCount)),
            ContentFormat.padme(minimum) == total
        else { throw .malformed }
        return (plaintext, digester.finish())
    }

    private mutating func open(_ sealed: ArraySlice<UInt8>, last: Bool) throws(OpeningFailure)
        -> [UInt8]
    {
        do {
            let nonce = try ContentFormat.nonce(counter: counter, last: last)
            let box = try AES.GCM.SealedBox(
                nonce: nonce, ciphertext: sealed.dropLast(ContentFormat.tagByteCount),
                tag: sealed.suffix(ContentFormat.tagByteCount))
            counter += 1
            return Array(try AES.GCM.open(box, using: sealingKey))
        } catch {
            throw .doesNotOpen
        }
    }

    /// Splits what was opened into payload and tail, and inflates the payload within its bound.
    private mutating func take(_ opened: [UInt8]) throws(OpeningFailure) -> [UInt8] {
        let plaintext: [UInt8]
        let used: Int
        if decompressor != nil {
            let room = Int(clamping: expectedSize - size)
            do {
                let result = try decompressor?.update(opened, atMost: room)
                plaintext = result?.output ?? []
                used = result?.consumed ?? 0
            } catch {
                throw .malformed
            }
        } else {
            used = Int(min(UInt64(opened.count), expectedSize - size))
            plaintext = Array(opened[..<used])
        }
        payload += UInt64(used)
        size += UInt64(plaintext.count)
        digester.update(plaintext)
        noteTail(opened[used...])
        return plaintext
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
    /// Opens a whole blob that is at hand.
    package static func open(
        _ blob: [UInt8], key: ContentKey, compression: ContentCompression, size: UInt64,
        digest: Hash256, bound binding: [UInt8]
    ) throws -> [UInt8] {
        var opener = try ContentOpener(
            key: key, compression: compression, size: size, bound: binding)
        var plaintext = try opener.update(blob)
        let (last, found) = try opener.finish()
        plaintext.append(contentsOf: last)
        guard found == digest else { throw OpeningFailure.malformed }
        return plaintext
    }
}
