extension File {
    /// What a change below a dead folder is pushed as: the server takes nothing that lives there.
    ///
    /// What was written arrives in the trash; a new name alone is not worth a record.
    /// - Parameter base: the file as it was agreed with the server; nil when it never was.
    package func settledBelowDead(base: File?) -> File {
        if let base, base.parent == parent, base.content?.version == content?.version {
            return base
        }
        var file = self
        file.isDeleted = true
        return file
    }
}
