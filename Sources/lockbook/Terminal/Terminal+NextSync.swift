import LockbookEngine

extension Terminal {
    /// Tells what the next sync does; an account that was deleted has none.
    static func notice(_ promise: String, bySyncOf lockbook: Lockbook) {
        guard let time = try? lockbook.deletionTime() else { return notice(promise) }
        notice(
            "this is noted on this device alone: the account was deleted on "
                + "\(localDay(milliseconds: time)), so no sync tells anybody of it"
        )
    }

    /// When a sync does what is wanted, in a table; of an account that was deleted none does.
    static func moment(_ moment: String, bySyncOf lockbook: Lockbook) -> String {
        (try? lockbook.deletionTime()) == nil ? moment : "on this device alone"
    }
}
