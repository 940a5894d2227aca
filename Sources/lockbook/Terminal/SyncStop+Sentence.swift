import LockbookEngine

extension SyncStop {
    /// What a sync would do, and who did it.
    var prospect: String {
        switch kind {
        case .pulledDeletions:
            "would delete \(self.count) of \(lockbook.count(total, "file")) here, as was done elsewhere"
        case .pushedDeletions:
            "would delete \(self.count) of \(lockbook.count(total, "file")) everywhere, and no command on this "
                + "device did so in the last week: was its data folder put back from a copy?"
        case .replacedTree:
            "would give \(self.count) of \(lockbook.count(total, "document")) another content or name, all by "
                + "one change" + (device.map { " of device \($0.prefix(8))" } ?? "")
        case .damagePurge:
            "would purge \(lockbook.count(self.count, "damaged file")) with the share that is taken back: a device "
                + "that knew what is in them puts it back when it syncs first"
        }
    }
}
