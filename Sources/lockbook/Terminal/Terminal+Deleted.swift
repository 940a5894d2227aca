extension Terminal {
    /// Says that deleted files in a folder, which nobody sees there, are read by others as well.
    /// - Parameter id: of the folder, where another account has it, and not by that path.
    static func notice(
        deleted files: Int,
        in path: String,
        readBy others: String,
        ofAnother id: String? = nil
    ) {
        guard files > 0 else { return }
        // Without the program's name where it is somebody else's to run, who calls it in a way of his own.
        let command =
            id.map { "`trash empty id:\($0)`" } ?? "`lockbook trash empty \(commandWord(path))`"
        notice(
            "\(count(files, "deleted file")) in \(path) can be read by \(others), too, until its "
                + "owner runs \(command)"
        )
    }
}
