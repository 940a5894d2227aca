import CZstd

/// What zstd reports when a frame is not one, or memory is short.
struct ZstdFailure: Error {}

/// Compresses one frame, piece by piece.
struct ZstdCompressor {
    /// Setting a context up costs more than compressing a short note with it.
    private static let idle = IdleContexts {
        guard let context = ZSTD_createCCtx() else { throw ZstdFailure() }
        // No checksum: the AEAD covers the bytes. Level 3 is zstd's own default.
        ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, 3)
        // A window of 1 MiB bounds what a reader must hold.
        ZSTD_CCtx_setParameter(context, ZSTD_c_windowLog, 20)
        return context
    } reset: {
        ZSTD_CCtx_reset($0, ZSTD_reset_session_only)
    } free: {
        ZSTD_freeCCtx($0)
    }

    private let context: BorrowedContext

    init() throws {
        context = try BorrowedContext(from: Self.idle)
    }

    mutating func update(_ bytes: [UInt8]) throws -> [UInt8] {
        try run(bytes, ZSTD_e_continue)
    }

    mutating func finish() throws -> [UInt8] {
        try run([], ZSTD_e_end)
    }

    private func run(_ bytes: [UInt8], _ directive: ZSTD_EndDirective) throws -> [UInt8] {
        var result: [UInt8] = []
        try bytes.withUnsafeBytes { source in
            var input = ZSTD_inBuffer(src: source.baseAddress, size: source.count, pos: 0)
            var remaining = 1
            while input.pos < input.size || (directive == ZSTD_e_end && remaining > 0) {
                let room = max(4_096, min(131_072, source.count))
                let piece = try [UInt8](unsafeUninitializedCapacity: room) { buffer, filled in
                    var output = ZSTD_outBuffer(
                        dst: UnsafeMutableRawPointer(buffer.baseAddress),
                        size: room,
                        pos: 0
                    )
                    remaining = ZSTD_compressStream2(
                        context.pointer,
                        &output,
                        &input,
                        directive
                    )
                    guard ZSTD_isError(remaining) == 0 else { throw ZstdFailure() }
                    filled = output.pos
                }
                result.append(contentsOf: piece)
            }
        }
        return result
    }

    /// A whole frame at once, to see what compressing gains.
    static func frame(of bytes: [UInt8]) throws -> [UInt8] {
        let context = try ZstdCompressor().context
        let bound = ZSTD_compressBound(bytes.count)
        return try [UInt8](unsafeUninitializedCapacity: bound) { buffer, filled in
            let written = ZSTD_compress2(
                context.pointer,
                buffer.baseAddress,
                bound,
                bytes,
                bytes.count
            )
            guard ZSTD_isError(written) == 0 else { throw ZstdFailure() }
            filled = written
        }
    }
}

/// Inflates one frame, piece by piece, and never beyond an announced size.
struct ZstdDecompressor {
    private static let idle = IdleContexts {
        guard let context = ZSTD_createDCtx() else { throw ZstdFailure() }
        // A frame that asks for a larger window is not ours.
        ZSTD_DCtx_setParameter(context, ZSTD_d_windowLogMax, 20)
        return context
    } reset: {
        ZSTD_DCtx_reset($0, ZSTD_reset_session_only)
    } free: {
        ZSTD_freeDCtx($0)
    }

    // zstd also reads frames of its old formats, which know no limit on memory, and skippable ones.
    private static let magic: [UInt8] = [0x28, 0xb5, 0x2f, 0xfd]

    private let context: BorrowedContext
    private var begun = false
    private var ended = false

    init() throws {
        context = try BorrowedContext(from: Self.idle)
    }

    /// Hands over plaintext in pieces of up to 128 KiB, so that a run of zeros needs no memory.
    /// - Returns: how much of the input the frame used; less than all of it when the frame ended
    ///   inside.
    mutating func update(
        _ bytes: [UInt8],
        atMost limit: UInt64,
        into sink: (_ plaintext: [UInt8]) throws -> Void
    ) throws -> Int {
        guard !ended, !bytes.isEmpty else { return 0 }
        guard begun || bytes.starts(with: Self.magic) else { throw ZstdFailure() }
        begun = true
        var written: UInt64 = 0
        var consumed = 0
        try bytes.withUnsafeBytes { source in
            var input = ZSTD_inBuffer(src: source.baseAddress, size: source.count, pos: 0)
            var full = false
            while !ended, input.pos < input.size || full {
                // One byte more than allowed is room enough to notice that it would be too much.
                let room = Int(min(131_071, limit - written)) + 1
                let piece = try [UInt8](unsafeUninitializedCapacity: room) { buffer, filled in
                    var output = ZSTD_outBuffer(
                        dst: UnsafeMutableRawPointer(buffer.baseAddress),
                        size: room,
                        pos: 0
                    )
                    let state = ZSTD_decompressStream(context.pointer, &output, &input)
                    guard ZSTD_isError(state) == 0 else { throw ZstdFailure() }
                    ended = state == 0
                    full = output.pos == room
                    filled = output.pos
                }
                written += UInt64(piece.count)
                guard written <= limit else { throw ZstdFailure() }
                if !piece.isEmpty { try sink(piece) }
            }
            consumed = input.pos
        }
        return consumed
    }
}
