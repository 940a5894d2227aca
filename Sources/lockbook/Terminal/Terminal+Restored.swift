import LockbookEngine

extension Terminal {
    /// Brings the contents here of what came out of the trash.
    ///
    /// It is out by now, so that they do not come is no failure: it is said what that may mean.
    /// - Parameter ids: 32 hexadecimal digits each.
    static func fetch(restored ids: [String], by lockbook: Lockbook) {
        guard !ids.isEmpty else { return }
        do { try asking(lockbook.awaited) { try await lockbook.fetchRestored(ids) } } catch {
            let reason = Failure(error).message ?? "\(error)"
            warn(
                "\(reason); until the next sync, a device that purges what came back takes it away"
            )
        }
    }
}
