import CZstd

/// What zstd reports when a frame is not one, or memory is short.
struct ZstdFailure: Error {}

/// Compresses one frame, piece by piece.
struct ZstdCompressor {
    private final class Context {
        let pointer: OpaquePointer
        init?() {
            guard let pointer = ZSTD_createCCtx() else { return nil }
            self.pointer = pointer
        }
        deinit { ZSTD_freeCCtx(pointer) }
    }

    private let context: Context

    init() throws {
        guard let context = Context() else { throw ZstdFailure() }
        self.context = context
        // No checksum: the AEAD covers the bytes. Level 3 is zstd's own default.
        ZSTD_CCtx_setParameter(context.pointer, ZSTD_c_compressionLevel, 3)
        // A window of 1 MiB bounds what a reader must hold.
        ZSTD_CCtx_setParameter(context.pointer, ZSTD_c_windowLog, 20)
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
                        dst: UnsafeMutableRawPointer(buffer.baseAddress), size: room, pos: 0)
                    remaining = ZSTD_compressStream2(
                        context.pointer, &output, &input, directive)
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
        let bound = ZSTD_compressBound(bytes.count)
        return try [UInt8](unsafeUninitializedCapacity: bound) { buffer, filled in
            let written = ZSTD_compress(buffer.baseAddress, bound, bytes, bytes.count, 3)
            guard ZSTD_isError(written) == 0 else { throw ZstdFailure() }
            filled = written
        }
    }
}

/// Inflates one frame, piece by piece, and never beyond an announced size.
struct ZstdDecompressor {
    private final class Context {
        let pointer: OpaquePointer
        init?() {
            guard let pointer = ZSTD_createDCtx() else { return nil }
            self.pointer = pointer
        }
        deinit { ZSTD_freeDCtx(pointer) }
    }

    private let context: Context
    private var ended = false

    init() throws {
        guard let context = Context() else { throw ZstdFailure() }
        self.context = context
        // A frame that asks for a larger window is not ours.
        ZSTD_DCtx_setParameter(context.pointer, ZSTD_d_windowLogMax, 20)
    }

    /// - Returns: the plaintext, and how much of the input the frame used; less than all of it
    ///   when the frame ended inside.
    mutating func update(_ bytes: [UInt8], atMost limit: Int) throws
        -> (output: [UInt8], consumed: Int)
    {
        guard !ended, !bytes.isEmpty else { return ([], 0) }
        var result: [UInt8] = []
        var consumed = 0
        try bytes.withUnsafeBytes { source in
            var input = ZSTD_inBuffer(src: source.baseAddress, size: source.count, pos: 0)
            var full = false
            while !ended, input.pos < input.size || full {
                // One byte more than allowed is room enough to notice that it would be too much.
                let room = min(131_072, limit - result.count + 1)
                let piece = try [UInt8](unsafeUninitializedCapacity: room) { buffer, filled in
                    var output = ZSTD_outBuffer(
                        dst: UnsafeMutableRawPointer(buffer.baseAddress), size: room, pos: 0)
                    let state = ZSTD_decompressStream(context.pointer, &output, &input)
                    guard ZSTD_isError(state) == 0 else { throw ZstdFailure() }
                    ended = state == 0
                    full = output.pos == room
                    filled = output.pos
                }
                result.append(contentsOf: piece)
                guard result.count <= limit else { throw ZstdFailure() }
            }
            consumed = input.pos
        }
        return (result, consumed)
    }
}
