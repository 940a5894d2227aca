import Glibc
import LockbookCrypto
import LockbookModel

/// Lines that a person typed: they hold names of notes, so they are sealed as those are.
extension Lockbook {
    static func commandLinesPath(_ directory: String) -> String { directory + "/shell-history" }
    private static let label: StaticString = "shell history"

    /// What was remembered, the oldest line first.
    /// - Throws: `.io` when the file cannot be read; one that does not open counts as empty.
    public func commandLines() throws -> [String] {
        do {
            // All of them: what is cut off would not open, and the next line would be the only one.
            var sealed: [UInt8] = []
            try DiskFile(Self.commandLinesPath(account.directory), flags: O_RDONLY)
                .readAll { sealed += $0 }
            let key = account.deviceKey.key(for: Self.label)
            guard let bytes = try? key.open(sealed, bound: []) else { return [] }
            return bytes.split(separator: UInt8(ascii: "\n")).map {
                String(decoding: $0, as: UTF8.self)
            }
        } catch let failure as DiskFailure {
            guard failure.code != ENOENT else { return [] }
            throw LockbookError.io(path: failure.path, reason: failure.reason)
        }
    }

    /// Adds a line behind those that are remembered, unless another shell does so for a second.
    /// - Parameter limit: how many lines stay, the newest ones.
    public func remember(commandLine: String, atMost limit: Int) throws {
        let path = Self.commandLinesPath(account.directory)
        do {
            // Two shells may add to it at the same time.
            // One that waits too long for the other keeps its line to itself: both write the same new file
            // beside the old one, which must not take its place half written.
            guard let lock = try LockFile(path + ".lock", waitingSeconds: 1) else { return }
            defer { withExtendedLifetime(lock) {} }
            let lines = (try commandLines() + [commandLine]).suffix(limit)
            let key = account.deviceKey.key(for: Self.label)
            let bytes = Array(lines.joined(separator: "\n").utf8)
            let sealed = try key.seal(bytes, bound: [], random: environment.random)
            try Disk.replace(path, with: sealed)
        } catch let failure as DiskFailure {
            throw LockbookError.io(path: failure.path, reason: failure.reason)
        }
    }

    /// Whether a text may hold an account's key: the compact form, or many words of a phrase.
    public static func mayHoldKey(_ text: String) -> Bool {
        KeyGuess.mayHoldKey(text)
    }

    func forgetCommandLines() throws {
        let path = Self.commandLinesPath(account.directory)
        for name in [path, path + ".lock", path + ".new"] { try Disk.remove(name) }
    }
}
