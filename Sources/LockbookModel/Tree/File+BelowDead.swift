extension File {
    /// What a change below a dead folder is pushed as: the server takes nothing that lives there.
    ///
    /// What was written arrives in the trash; a new name alone is not worth a record.
    /// - Parameter base: the file as it was agreed with the server; nil when it never was.
    package func settledBelowDead(base: File?) -> File {
        if let base, base.parent == parent, base.content?.identity == content?.identity {
            return base
        }
        var file = self
        file.dieWithFolder()
        return file
    }

    /// Deletes the file because the folder that it stands in is: it comes back with that.
    package mutating func dieWithFolder() {
        guard !isDeleted else { return }
        isDeleted = true
        diedWithFolder = true
    }

    /// Whether nobody deleted the file itself, but the folder that it stood in.
    ///
    /// It was new or written to then. Its record says so, so that every device knows.
    package var diedWithFolder: Bool {
        get { isDeleted && FileMark(reading: bodyExtension).diedWithFolder }
        set {
            var mark = FileMark(reading: bodyExtension)
            guard mark.diedWithFolder != newValue else { return }
            mark.diedWithFolder = newValue
            bodyExtension = mark.bytes
        }
    }
}
