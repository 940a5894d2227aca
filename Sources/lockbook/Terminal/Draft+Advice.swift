import LockbookEngine

extension Draft {
    /// What to do about what is left of a session that was cut off.
    func advice(_ session: EditSession) -> String {
        let text = try? text()
        // Stored already, or never to be: only what is beside it is still to be looked at.
        let isDone = text.map { $0 == session.bytes || session.isEmptied(by: $0) } ?? true
        if isDone, let left = LeftBeside(self, session) { return left.hint }
        if let text, session.isEmptied(by: text) {
            return "it had emptied the text, which `lockbook edit --rescue` does not store"
        }
        return text == nil
            ? "what is left of it is in \(folder); `lockbook edit --discard` throws that away"
            : "`lockbook edit --rescue` stores what was written"
    }
}
