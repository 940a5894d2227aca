import LockbookEngine

extension Terminal {
    /// Shows what a command took out of the trash, and brings its contents here, shown or not.
    /// - Parameters:
    ///   - ids: 32 hexadecimal digits each.
    ///   - hint: what doing it again would mean.
    static func afterDone(
        restoring ids: [String],
        by lockbook: Lockbook,
        hint: String,
        _ show: () throws -> Void
    ) throws {
        // Where nobody reads on, showing it ends the program.
        if !outputIsTerminal { fetch(restored: ids, by: lockbook) }
        defer { if outputIsTerminal { fetch(restored: ids, by: lockbook) } }
        try afterDone(hint: hint, show)
    }

    /// Brings the contents here of what came out of the trash.
    ///
    /// It is out by now, so that they do not come is no failure: it is said what that may mean.
    private static func fetch(restored ids: [String], by lockbook: Lockbook) {
        guard !ids.isEmpty else { return }
        do { try asking(lockbook.awaited) { try await lockbook.fetchRestored(ids) } } catch {
            let reason = Failure(error).message ?? Failure.unexpected(error)
            warn(
                "\(reason); until the next sync, a device that purges what came back takes it away"
            )
        }
    }
}
