import CLinux
import Glibc

/// The words of a command of the shell, on their way to its process.
///
/// What stands on a command line every user of the machine can read. These stand in memory that is
/// given to that process alone.
enum HandedWords {
    /// What this program is called with, and then the number of the descriptor, to find them there.
    static let word = "__words"
    /// MFD_CLOEXEC: an editor or a pager does not get them.
    private static let closedByOthers: UInt32 = 1

    /// - Parameter words: none with a zero byte in it.
    /// - Returns: a descriptor from which they can be taken; the caller closes his own.
    /// - Throws: `.privateFolder`.
    static func put(_ words: [String]) throws -> Int32 {
        let memory = memfd_create("lockbook", closedByOthers)
        guard memory >= 0 else {
            throw CommandError.privateFolder(reason: Terminal.reason(errno))
        }
        if let problem = Terminal.write(words.flatMap { Array($0.utf8) + [0] }, to: memory) {
            close(memory)
            throw CommandError.privateFolder(reason: Terminal.reason(problem))
        }
        return memory
    }

    /// The words that this process was started for: those of its command line, or those handed over.
    static func taken(from arguments: [String]) throws -> [String] {
        guard arguments.count == 2, arguments[0] == word, let memory = Int32(arguments[1]),
            memory > STDERR_FILENO, fcntl(memory, F_GETFD) != -1
        else { return arguments }
        defer { close(memory) }
        // Who wrote them left off at their end.
        lseek(memory, 0, SEEK_SET)
        return try PrivateFile.contents(of: memory)
            .split(separator: 0, omittingEmptySubsequences: false).dropLast()
            .map { String(decoding: $0, as: UTF8.self) }
    }
}
