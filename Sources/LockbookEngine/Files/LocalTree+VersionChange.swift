import LockbookModel

extension LocalTree {
    /// What made a file another one than it was; nil is what there is before its first version.
    static func change(from older: File?, to file: File) -> FileVersion.Change {
        guard let older else {
            if file.isDeleted { return .deleted }
            // Making a document and its first words are one thing, and take no two seconds.
            let isFirst = file.modified.milliseconds <= file.created.milliseconds &+ 2_000
            return isFirst ? .made : .edited
        }
        if file.isDeleted != older.isDeleted { return file.isDeleted ? .deleted : .restored }
        if file.content?.identity != older.content?.identity { return .edited }
        if file.parent != older.parent { return .moved }
        return file.name == older.name ? .changed : .renamed
    }
}
