import Glibc
import Testing

/// Counts how often a file or folder is opened, by whomever (inotify(7)).
final class Openings {
    private static let headByteCount = 16
    private let descriptor: Int32

    init(of path: String) throws {
        descriptor = inotify_init1(Int32(IN_NONBLOCK))
        try #require(descriptor >= 0)
        // Two events that are alike are one, unless another one is between.
        let events = [IN_OPEN, IN_ACCESS, IN_CLOSE_WRITE, IN_CLOSE_NOWRITE]
        let mask = events.reduce(0) { $0 | UInt32($1) }
        try #require(inotify_add_watch(descriptor, path, mask) >= 0)
    }

    deinit { close(descriptor) }

    /// How often that was since it was asked for last.
    func take() -> Int {
        var count = 0
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while case let length = read(descriptor, &buffer, buffer.count), length > 0 {
            var start = 0
            while start + Self.headByteCount <= length {
                let (mask, nameByteCount) = buffer.withUnsafeBytes { bytes in
                    (
                        bytes.loadUnaligned(fromByteOffset: start + 4, as: UInt32.self),
                        bytes.loadUnaligned(fromByteOffset: start + 12, as: UInt32.self)
                    )
                }
                // A name is that of something in it.
                if nameByteCount == 0, mask & UInt32(IN_OPEN) != 0 { count += 1 }
                start += Self.headByteCount + Int(nameByteCount)
            }
        }
        return count
    }
}
