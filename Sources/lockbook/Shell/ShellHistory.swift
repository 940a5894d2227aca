import LockbookEngine

/// The lines that the arrows bring back, also in the next shell.
///
/// They name notes, so they are on the disk as everything is: sealed, in a file of the data
/// directory that the owner alone may read.
struct ShellHistory {
    private var last: String?
    /// Told once; whoever cannot be remembered can still work.
    private var isTold = false
    private static var limit: Int { (try? Settings.current().number(.history)) ?? 1000 }

    mutating func lines() -> [String] {
        do {
            let lines = try Lockbook.open().commandLines()
            last = lines.last
            return lines
        } catch LockbookError.noAccount {
            return []
        } catch {
            tell(error)
            return []
        }
    }

    /// Remembers a line, unless it is to be forgotten.
    /// - Returns: whether it was one to remember.
    mutating func add(_ line: String) -> Bool {
        let words = ShellLine(Array(line.utf8)).words.map(\.text)
        guard Self.mayRemember(line, words: words), line != last else { return false }
        last = line
        guard Self.limit > 0 else { return true }
        do {
            try Lockbook.open().remember(commandLine: line, atMost: Self.limit)
        } catch LockbookError.noAccount {
        } catch {
            tell(error)
        }
        return true
    }

    /// Only what is a command, and nothing that could be a key.
    ///
    /// A blank in front means "forget it", as in other shells. Of accounts nothing is kept.
    static func mayRemember(_ line: String, words: [String]) -> Bool {
        guard let first = words.first, !line.hasPrefix(" "), !line.contains(where: \.isNewline),
            ShellSession.commands.commands.contains(where: { $0.names.contains(first) }),
            first != "account"
        else { return false }
        return !Lockbook.mayHoldKey(line)
    }

    private mutating func tell(_ error: any Error) {
        guard !isTold else { return }
        isTold = true
        Terminal.warn("lines are not remembered: \(Failure(error).message ?? "")")
    }
}
