import SecondImplementation
import Testing

@testable import LockbookCrypto

/// What somebody with the key can put into a blob; readers must stand it.
struct ContentAuthorTests {
    private func sample() throws -> SealedSample { try SealedSample(text(1_000)) }

    @Test func `sizes that are not the content's are refused`() throws {
        for plaintext in [text(1_000), noise(1_000), text(200_000), []] {
            let sample = try SealedSample(plaintext)
            let size = UInt64(plaintext.count)
            for wrong in [size &- 1, size + 1, size + 65_536, 1 << 40, 1 << 63, .max - 1, .max]
            where wrong != size {
                #expect(throws: OpeningFailure.malformed) {
                    try sample.open(sample.blob, size: wrong)
                }
            }
        }
    }

    @Test func `a trailer that lies is refused`() throws {
        let sample = try sample()
        let frame = SecondContentKey.deflate(sample.plaintext)
        func blob(_ change: (inout SecondContentKey.Mistakes) -> Void) -> Bytes {
            var mistakes = SecondContentKey.Mistakes()
            change(&mistakes)
            return sample.second.seal(payload: frame, size: 1_000, compression: 1, mistakes)
        }
        #expect(try sample.open(blob { _ in }) == sample.plaintext)
        for length in [0, 1, 999, UInt64(frame.count) - 1, UInt64(frame.count) + 1, 1 << 63, .max] {
            #expect(throws: OpeningFailure.malformed) {
                try sample.open(blob { $0.payloadLength = length })
            }
            #expect(throws: OpeningFailure.malformed) {
                try sample.open(blob { $0.plaintextLength = length })
            }
        }
    }

    @Test func `padding that is not zero, too short or too long is refused`() throws {
        let sample = try sample()
        let frame = SecondContentKey.deflate(sample.plaintext)
        let right = SecondContentKey.padme(frame.count + 16) - frame.count - 16
        for padding in [0, right - 1, right, right + 1, right + 64, 70_000] {
            for byte in [0, 1] as [UInt8] {
                var mistakes = SecondContentKey.Mistakes()
                mistakes.padding = padding
                mistakes.paddingByte = byte
                let blob = sample.second.seal(
                    payload: frame,
                    size: 1_000,
                    compression: 1,
                    mistakes
                )
                if padding == right, byte == 0 || right == 0 {
                    #expect(try sample.open(blob) == sample.plaintext)
                } else {
                    #expect(throws: OpeningFailure.malformed, "\(padding) of \(byte)") {
                        try sample.open(blob)
                    }
                }
            }
        }
    }

    @Test func `a last chunk that is empty is refused: content has one form`() throws {
        // Payload and trailer that fill their chunks to the end.
        for chunks in [1, 2] {
            let payload = noise(65_536 * chunks - 16)
            let sample = try SealedSample(payload)
            var mistakes = SecondContentKey.Mistakes()
            let plain = sample.second.seal(payload: payload, size: payload.count, compression: 0)
            #expect(try sample.open(plain) == payload)
            mistakes.hasEmptyLastChunk = true
            let blob = sample.second.seal(
                payload: payload,
                size: payload.count,
                compression: 0,
                mistakes
            )
            #expect(throws: OpeningFailure.self) { try sample.open(blob) }
        }
    }

    @Test func `a payload that is no frame, or not one frame, is refused`() throws {
        let sample = try sample()
        let frame = SecondContentKey.deflate(sample.plaintext)
        let half = SecondContentKey.deflate(Bytes(sample.plaintext.prefix(500)))
        let rest = SecondContentKey.deflate(Bytes(sample.plaintext.dropFirst(500)))
        let skippable: Bytes = [0x50, 0x2a, 0x4d, 0x18, 4, 0, 0, 0, 1, 2, 3, 4]
        let payloads: [(String, Bytes)] = [
            ("nothing", []), ("noise", noise(1_000)), ("text", sample.plaintext),
            ("a cut frame", Bytes(frame.dropLast(3))), ("half the frame", Bytes(frame.prefix(40))),
            ("two frames", half + rest), ("a frame and more", frame + [0]),
            ("a frame and a skippable one", frame + skippable),
            ("a skippable frame first", skippable + frame),
            ("gzip", [0x1f, 0x8b, 8, 0] + noise(100)),
        ]
        for (name, payload) in payloads {
            let blob = sample.second.seal(payload: payload, size: 1_000, compression: 1)
            #expect(throws: OpeningFailure.malformed, "\(name)") { try sample.open(blob) }
        }
    }

    @Test func `no content can hide in a frame that says nothing`() throws {
        let skippable: Bytes = [0x50, 0x2a, 0x4d, 0x18, 4, 0, 0, 0, 1, 2, 3, 4]
        let sample = try SealedSample([])
        let blob = sample.second.seal(payload: skippable, size: 0, compression: 1)
        #expect(throws: OpeningFailure.malformed) { try sample.open(blob, compression: .zstd) }
    }

    /// Frames of zstd 0.5 to 0.7, which a library may still read, know no limit on their window.
    @Test(arguments: [0x25, 0x26, 0x27] as [UInt8])
    func `frames of old zstd are refused before they are read`(_ version: UInt8) throws {
        let sample = try sample()
        let payload = [version, 0xb5, 0x2f, 0xfd] + noise(200)
        let blob = sample.second.seal(payload: payload, size: 1_000, compression: 1)
        #expect(throws: OpeningFailure.malformed) { try sample.open(blob) }
    }

    @Test func `a frame that asks for a large window is refused`() throws {
        // Magic, a descriptor without single segment, then a window of 2^31 bytes.
        for window in [0x58, 0xa0, 0xa8, 0xff] as [UInt8] {
            let sample = try sample()
            let payload = [0x28, 0xb5, 0x2f, 0xfd, 0x00, window, 0x01, 0x00, 0x00]
            let blob = sample.second.seal(payload: payload, size: 1_000, compression: 1)
            #expect(throws: OpeningFailure.malformed) { try sample.open(blob) }
        }
    }
}
