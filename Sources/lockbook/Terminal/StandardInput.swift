import Glibc

/// Standard input, read piece by piece as it comes.
enum StandardInput {
    private static let pieceSize = 65_536

    /// The next bytes, at most 64 KiB; nil at the end.
    /// - Parameter interrupted: is called where a signal came before them.
    /// - Throws: `.input`, also where there was no standard input: that is no empty one.
    static func read(
        from descriptor: Int32 = STDIN_FILENO,
        upTo size: Int = pieceSize,
        interrupted: () -> Void = {}
    ) throws -> [UInt8]? {
        guard descriptor != STDIN_FILENO || !StandardStreams.inputWasClosed else {
            throw CommandError.input(reason: "it is closed")
        }
        var problem: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            var result: Int
            repeat {
                result = Glibc.read(descriptor, buffer.baseAddress, size)
            } while result == -1 && isToRepeat(descriptor, interrupted)
            problem = result == -1 ? errno : 0
            count = max(0, result)
        }
        guard problem == 0 else {
            throw CommandError.input(reason: Terminal.reason(problem))
        }
        return bytes.isEmpty ? nil : bytes
    }

    /// Whether a read that failed is to be made again, once there is something to read.
    private static func isToRepeat(_ descriptor: Int32, _ interrupted: () -> Void) -> Bool {
        // Whoever shares the pipe may have made it one that does not wait.
        if errno == EAGAIN {
            var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            return poll(&waiting, 1, -1) >= 0 || errno == EINTR
        }
        guard errno == EINTR else { return false }
        interrupted()
        return true
    }

    /// All that is left of it.
    /// - Parameter limit: of more bytes all are refused.
    static func all(
        from descriptor: Int32 = STDIN_FILENO,
        atMost limit: Int = longestLine
    ) throws -> [UInt8] {
        var bytes: [UInt8] = []
        while let piece = try read(from: descriptor) {
            bytes += piece
            guard bytes.count <= limit else {
                throw CommandError.input(reason: "it is more than \(byteCount(UInt64(limit)))")
            }
        }
        return bytes
    }

    /// The next line without its end, not reading behind it; nil at the end.
    static func line() throws -> String? {
        try lineBytes().map { String(decoding: $0, as: UTF8.self) }
    }

    /// The next line as it is, without its end, not reading behind it; nil at the end.
    static func lineBytes() throws -> [UInt8]? {
        var line = try lineWithEnd()
        guard !line.isEmpty else { return nil }
        if line.last == lineEnd { line.removeLast() }
        return line
    }

    /// Of no use to anybody: what never ends, as `/dev/zero`, would fill the memory.
    private static let longestLine = 16_000_000

    /// The next line with its end, which is missing where the input ends; empty at the end.
    /// - Parameters:
    ///   - limit: a line of more bytes is refused.
    ///   - interrupted: is called where a signal came before its end.
    static func lineWithEnd(
        from descriptor: Int32 = STDIN_FILENO,
        atMost limit: Int = longestLine,
        interrupted: () -> Void = {}
    ) throws -> [UInt8] {
        var line: [UInt8] = []
        while line.last != lineEnd,
            let piece = try read(from: descriptor, upTo: 1, interrupted: interrupted)
        {
            line += piece
            guard line.count <= limit else {
                throw CommandError.input(
                    reason: "a line is longer than \(byteCount(UInt64(limit)))"
                )
            }
        }
        return line
    }

    static let lineEnd = UInt8(ascii: "\n")
}
