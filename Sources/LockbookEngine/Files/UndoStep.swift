import LockbookModel

/// One file of a command that is taken back.
struct UndoStep {
    let row: FileRow
    /// As it is now.
    let current: File
    let path: String
    /// As it is to be.
    let wanted: File
    /// Whether the command made the file.
    let wasMade: Bool

    var restoresContent: Bool { wanted.content?.identity != current.content?.identity }

    /// Whether it stands where it stood.
    var keepsPlace: Bool {
        wanted.isDeleted == current.isDeleted && wanted.parent == current.parent
            && wanted.name == current.name
    }
}

extension File {
    /// This file as it was before a change, in what that change was about; what others changed
    /// besides stays.
    /// - Parameter before: nil when the change made the file.
    /// - Returns: nil when it was overwritten since.
    func taking(back after: File, to before: File?) -> File? {
        var file = self
        guard let before else {
            file.isDeleted = true
            // New keys, because others were let in or out, are no change of the file.
            return looksSame(as: after) ? file : nil
        }
        guard isDeleted == after.isDeleted else { return nil }
        file.takeDeath(of: before)
        if before.parent != after.parent || before.name != after.name {
            guard parent == after.parent, name == after.name else { return nil }
            file.parent = before.parent
            file.name = before.name
        }
        if before.content?.identity != after.content?.identity {
            guard content?.identity == after.content?.identity else { return nil }
            file.content = before.content
            file.modified = before.modified
        }
        if before.isExecutable != after.isExecutable {
            guard isExecutable == after.isExecutable else { return nil }
            file.isExecutable = before.isExecutable
            file.modified = before.modified
        }
        return file
    }
}
