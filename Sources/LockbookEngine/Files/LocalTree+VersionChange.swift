import LockbookModel

extension LocalTree {
    /// What made one of a file's versions another one than that before it.
    ///
    /// A write that met a deletion of which its device did not know stands between the deletion and
    /// what is still deleted: nobody restored anything, and what it changed is what was there before.
    static func change(
        at index: Int,
        in items: [(found: FoundVersion, file: File)]
    ) -> FileVersion.Change {
        let item = items[index]
        let older = items[(index + 1)...]
        let newer = items[..<index].last(where: { $0.found.replaced == nil })
        let isOvertaken =
            item.found.replaced != nil && !item.file.isDeleted && newer?.file.isDeleted == true
        let before = isOvertaken ? older.first(where: { !$0.file.isDeleted }) : older.first
        return change(from: before?.file, to: item.file)
    }

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
