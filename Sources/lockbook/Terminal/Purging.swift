/// Makes sure that somebody means it before something is gone for good.
enum Purging {
    /// Returns when a person says yes, or a script said so by `--force`.
    static func confirm(_ what: String, force: Bool) throws {
        guard !force else { return }
        let otherwise = "nothing was purged"
        guard Terminal.canAsk else {
            throw CommandError.unforced("purge \(what)", otherwise: otherwise)
        }
        try Question.confirm("purge \(what)? nothing brings it back", otherwise: otherwise)
    }
}
