import Glibc

/// The words that this process was started with.
///
/// Swift's `CommandLine` looks for them in memory, below the variables of the environment. It finds none where
/// something has moved those before the program begins, as a preloaded library does that sets one:
/// libfaketime is such a library.
package struct ProcessArguments: Sendable {
    /// The program's name, and what follows it; what is not UTF-8 is repaired in them.
    package let words: [String]
    /// Which of the words is not UTF-8; the first one that is not.
    package let notUTF8: Int?

    /// Reads what the system keeps of it.
    /// - Returns: nil where that cannot be read, or has not even the program's name.
    package init?() {
        let file = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 4_096)
        while true {
            let count = read(file, &piece, piece.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { return nil }
            if count == 0 { break }
            bytes += piece[..<count]
        }
        self.init(bytes)
    }

    /// - Parameter commandLine: each word with a zero byte behind it.
    package init?(_ commandLine: [UInt8]) {
        let parts = commandLine.split(separator: 0, omittingEmptySubsequences: false).dropLast()
        guard !parts.isEmpty else { return nil }
        words = parts.map { String(decoding: $0, as: UTF8.self) }
        notUTF8 = parts.firstIndex { String(validating: $0, as: UTF8.self) == nil }
    }
}
