import LockbookEngine

/// Who and where the user is, and what the next sync is about.
struct ShellPrompt {
    let text: String

    init(folder: String) {
        guard let status = try? Lockbook.open().briefStatus() else {
            text = "lockbook> "
            return
        }
        var state: String?
        if status.isStopped {
            state = "sync stopped"
        } else if status.hasFailed {
            state = "sync failed"
        } else if status.changes > 0 {
            state = "\(status.changes) to sync"
        }
        let place = "\(status.username):\(printable(folder))"
        text = Self.bold(place) + (state.map { " (\($0))" } ?? "") + "> "
    }

    /// Readline has to know which characters take no room.
    private static func bold(_ text: String) -> String {
        guard Terminal.outputIsColoured else { return text }
        return "\u{1}\u{1b}[1m\u{2}" + text + "\u{1}\u{1b}[0m\u{2}"
    }
}
