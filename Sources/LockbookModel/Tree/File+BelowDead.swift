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
        get { isDeleted && mark.diedWithFolder }
        set { mark.diedWithFolder = newValue }
    }

    /// Whether who deleted the document, or its folder, had not seen its last content.
    ///
    /// Nobody deleted those words. Its record says so, so that no device purges it by itself.
    package var diedUnseen: Bool {
        get { isDeleted && type == .document && mark.diedUnseen }
        set { mark.diedUnseen = newValue }
    }

    /// Whether nobody deleted the file: a merge put it into the trash, with its folder.
    ///
    /// Of a document that is so while its words wait for somebody to decide about them.
    package var diedByMerge: Bool { diedWithFolder && mark.diedUnseen }

    /// Is dead as the other one is, for the same reasons, or lives as that does.
    package mutating func takeDeath(of other: File) {
        isDeleted = other.isDeleted
        diedWithFolder = other.diedWithFolder
        mark.diedUnseen = other.isDeleted && other.mark.diedUnseen
    }

    private var mark: FileMark {
        get { FileMark(reading: bodyExtension) }
        set {
            // What a later format put there stays where nothing else is to be said.
            if newValue != mark { bodyExtension = newValue.bytes }
        }
    }
}
