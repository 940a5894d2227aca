import CZstd

/// Section 7 of docs/FORMAT.md.
package struct SecondContentKey {
    package let key: Bytes
    package let binding: Bytes

    package init(key: Bytes, owner: Bytes, file: Bytes, version: Bytes) {
        self.key = key
        binding = owner + file + version
    }

    private func material(_ compression: UInt8) -> Bytes {
        OpenSSL.expand(key, label("content") + [compression] + binding, 64)
    }

    package func digest(_ plaintext: Bytes) -> Bytes {
        OpenSSL.hmac(OpenSSL.expand(key, ascii("lockbook/v1/content-digest"), 32), plaintext)
    }

    package static func padme(_ length: Int) -> Int {
        var e = 0
        while length >> (e + 1) > 0 { e += 1 }
        var s = 1
        while e >> s > 0 { s += 1 }
        let step = 1 << max(0, e - s)
        return (length + step - 1) / step * step
    }

    private static func nonce(_ counter: Int, last: Bool) -> Bytes {
        [0, 0, 0] + u64(UInt64(counter)) + [last ? 1 : 0]
    }

    /// What may be wrong in a blob that a test makes.
    package struct Mistakes {
        package var padding: Int?
        package var paddingByte: UInt8 = 0
        package var payloadLength: UInt64?
        package var plaintextLength: UInt64?
        package var hasEmptyLastChunk = false
        package init() {}
    }

    package func seal(
        payload: Bytes,
        size: Int,
        compression: UInt8,
        _ mistakes: Mistakes = Mistakes()
    ) -> Bytes {
        let material = material(compression)
        let total = Self.padme(payload.count + 16)
        var padded = payload
        padded += Bytes(
            repeating: mistakes.paddingByte,
            count: mistakes.padding ?? total - payload.count - 16
        )
        padded += u64(mistakes.payloadLength ?? UInt64(payload.count))
        padded += u64(mistakes.plaintextLength ?? UInt64(size))
        var chunks = stride(from: 0, to: padded.count, by: 65_536).map {
            Bytes(padded[$0..<min($0 + 65_536, padded.count)])
        }
        if mistakes.hasEmptyLastChunk { chunks.append([]) }
        var blob: Bytes = [1] + material.suffix(32)
        for (index, chunk) in chunks.enumerated() {
            blob += Cipher.aes256GCM.seal(
                chunk,
                key: Bytes(material.prefix(32)),
                nonce: Self.nonce(index, last: index == chunks.count - 1)
            )
        }
        return blob
    }

    package func open(_ blob: Bytes, compression: UInt8, size: UInt64) throws -> Bytes {
        let material = material(compression)
        guard blob.prefix(33) == [1] + material.suffix(32) else { throw FormatError() }
        let sealed = Bytes(blob.dropFirst(33))
        var padded: Bytes = []
        for (index, start) in stride(from: 0, to: sealed.count, by: 65_552).enumerated() {
            let end = min(start + 65_552, sealed.count)
            guard
                let chunk = Cipher.aes256GCM.open(
                    Bytes(sealed[start..<end]),
                    key: Bytes(material.prefix(32)),
                    nonce: Self.nonce(index, last: end == sealed.count)
                )
            else { throw FormatError() }
            padded += chunk
        }
        var trailer = Reader(Bytes(padded.suffix(16)))
        let length = Int(try trailer.number(8))
        guard try trailer.number(8) == size, Self.padme(length + 16) == padded.count,
            padded[length..<padded.count - 16].allSatisfy({ $0 == 0 })
        else { throw FormatError() }
        let payload = Bytes(padded[..<length])
        return compression == 0 ? payload : try Self.inflate(payload, size: Int(size))
    }

    package static func deflate(_ bytes: Bytes) -> Bytes {
        var frame = Bytes(repeating: 0, count: ZSTD_compressBound(bytes.count))
        let count = ZSTD_compress(&frame, frame.count, bytes, bytes.count, 1)
        precondition(ZSTD_isError(count) == 0)
        return Bytes(frame.prefix(count))
    }

    private static func inflate(_ frame: Bytes, size: Int) throws -> Bytes {
        var bytes = Bytes(repeating: 0, count: size + 1)
        guard ZSTD_decompress(&bytes, bytes.count, frame, frame.count) == size else {
            throw FormatError()
        }
        return Bytes(bytes.prefix(size))
    }
}

package func secondBlobName(_ blob: Bytes) -> Bytes {
    let segments = stride(from: 0, to: blob.count, by: 1 << 20).flatMap {
        OpenSSL.sha256(Bytes(blob[$0..<min($0 + 1 << 20, blob.count)]))
    }
    return labelled("blob", u64(UInt64(blob.count)) + segments)
}
