/// Makes sure that somebody means it before something is gone for good.
enum Purging {
    /// Purges what a person says yes to, or a script by `--force`.
    ///
    /// A sync may put something there while somebody is asked, who is asked about that, too.
    /// - Parameters:
    ///   - found: what there is to purge, as it is asked, and how many files; nil for nothing.
    ///   - purge: nil where there are more files than so many, and nothing was done.
    /// - Returns: what was purged; nil where nothing was there.
    static func run<Purged>(
        force: Bool,
        _ found: () throws -> (what: String, files: Int)?,
        purge: (_ limit: Int) throws -> Purged?
    ) throws -> Purged? {
        while let found = try found() {
            try confirm(found.what, force: force)
            if let purged = try purge(force ? .max : found.files) { return purged }
        }
        return nil
    }

    /// Returns when a person says yes, or a script said so by `--force`.
    private static func confirm(_ what: String, force: Bool) throws {
        guard !force else { return }
        let otherwise = "nothing was purged"
        guard Terminal.canAsk else {
            throw CommandError.unforced("purge \(what)", otherwise: otherwise)
        }
        try Question.confirm("purge \(what)? nothing brings it back", otherwise: otherwise)
    }
}
