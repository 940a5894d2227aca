/// What a merge asks of the tree on this device; it walks changes, never the whole of it.
package protocol MergeView {
    /// The file as this device has it.
    func file(_ id: FileID) throws -> File?
    /// The file as it was agreed with the server; nil when it never was.
    func base(_ id: FileID) throws -> File?
    /// The child that is not itself deleted and has this name.
    func child(named name: FileName, of folder: FileID) throws -> FileID?
    /// Whether this side may say where a file stands, and that it was deleted with its folder.
    func mayPlace(_ file: File) -> Bool
}

extension MergeView {
    package func mayPlace(_ file: File) -> Bool { true }
}

/// How two contents of one name came together.
///
/// The contents themselves were merged before, where
/// they can be read; the tree merge only decides with the outcome.
package enum ContentOutcome: Sendable {
    /// The bytes are the same, or the local ones give way.
    case same
    /// Both are in one text, which was sealed for the remote file.
    case merged(Content, conflicts: Int)
    /// Both stay; the local one as a new file, sealed for this id.
    case keepBoth(copy: FileID, Content?)
}

/// Two contents that a merge has to know the outcome of.
package struct ContentQuestion: Hashable, Sendable {
    /// The file whose local content is meant.
    package var local: FileID
    /// The file whose remote content is meant: the same one, or another of the same name.
    package var remote: FileID

    package init(local: FileID, remote: FileID) {
        self.local = local
        self.remote = remote
    }
}

/// Something a merge decided that the user may want to know.
package struct MergeNote: Hashable, Sendable {
    package enum Kind: Sendable, CaseIterable {
        case merged, markers, keptBoth, renamed, renameUndone, moveUndone, trashed, deleted, folded
    }

    package var kind: Kind
    package var file: FileID
    /// The name that lost or was given, where a name tells more than the file.
    package var name: FileName?
}

/// What a merge makes of the tree on this device.
package struct MergePlan: Sendable {
    /// The state of every file that either side changed.
    package var files: [FileID: File] = [:]
    /// Files never pushed that are another file now.
    package var removed: Set<FileID> = []
    /// Which other one.
    package var joined: [FileID: FileID] = [:]
    package var notes: [MergeNote] = []
    /// Documents in the trash with words that who deleted them, or their folder, had not seen.
    package var unseen: Set<FileID> = []
    /// What is no document, is new here, and went to the trash with the folder around it.
    package var buried: Set<FileID> = []
    /// Not empty when the merge cannot end before these are answered; nothing else counts then.
    package var questions: Set<ContentQuestion> = []
    /// How often the repairs ran, the last time without finding anything.
    package var rounds = 0

    package init() {}
}
