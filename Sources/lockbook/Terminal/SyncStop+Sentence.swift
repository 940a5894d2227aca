import LockbookEngine

extension SyncStop {
    /// What a sync would do, and who did it.
    var prospect: String {
        switch kind {
        case .pulledDeletions:
            "would delete \(part("file"))" + (sharer == nil ? " here" : "")
                + ", as was done elsewhere"
        case .pushedDeletions:
            "would delete \(part("file"))"
                + (sharer == nil ? " everywhere" : ", for all who see it")
                + ", and no command on this device did so in the last week: was its data folder put "
                + "back from a copy?"
        case .replacedTree:
            "would give \(part("document")) another content or name, all by one change"
                + (device.map { " of device \($0.prefix(8))" } ?? "")
        case .damagePurge:
            "would purge \(lockbook.count(count, "damaged file")) with the share that is taken back: a "
                + "device that knew what is in them puts it back when it syncs first"
        }
    }

    /// How many of how many, and whose, where another account shares them.
    private func part(_ noun: String) -> String {
        "\(count) of \(lockbook.count(total, noun))"
            + (sharer.map { " in what \($0) shares with you" } ?? "")
    }
}
