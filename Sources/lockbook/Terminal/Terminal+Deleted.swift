extension Terminal {
    /// Says that deleted files in a folder, which nobody sees there, are read by others as well.
    static func notice(deleted files: Int, in path: String, readBy others: String) {
        guard files > 0 else { return }
        notice(
            "\(count(files, "deleted file")) in \(path) can be read by \(others), too, until its "
                + "owner runs `lockbook trash empty \(commandWord(path))`"
        )
    }
}
