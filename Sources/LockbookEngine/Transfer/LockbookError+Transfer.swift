extension LockbookError {
    /// Whether the rest of an import or export can go on.
    var concernsOneFile: Bool {
        switch self {
        case .changedHere, .undecidedHere, .unknownHere, .ofAnotherOwner, .exists, .notAFolder,
            .notADocument, .badName, .badPath, .damaged, .unreadableContent, .contentNotHere,
            .contentGone, .contentNotKept, .ownerDeleted, .badContent, .notFound, .root, .readOnly:
            true
        default: false
        }
    }

    /// Whether a file was left out because of what somebody made of its note.
    var leavesNote: Bool { keptNote != nil }

    /// The path of the note because of which a file was left out.
    var keptNote: String? {
        switch self {
        case .changedHere(let path), .undecidedHere(let path, _), .unknownHere(let path): path
        default: nil
        }
    }

    /// What an import says of a file that it leaves out.
    var importSentence: String {
        switch self {
        case .changedHere: "the note was changed in the lockbook; --force takes the file's text"
        case .undecidedHere(_, let isListed):
            "the note has an undecided conflict, "
                + (isListed
                    ? "which `lockbook conflicts` lists" : "of which markers stand in its text")
                + "; --force takes the file's text"
        case .unknownHere:
            "no import is known to have made the note that has this name; --force takes the "
                + "export's text"
        case .ofAnotherOwner:
            "it belongs to something else of this name, which another account or you owned; "
                + "--force takes it into this"
        case .exists: "a folder of that name is there already"
        case .notAFolder(let path): "\(path) is a document, not a folder"
        case .notADocument: "a folder of that name is there already"
        case .damaged: "the document that is there does not open"
        case .notFound: "the note was deleted meanwhile"
        case .unreadableContent(_, _, let reason):
            "the document that is there cannot be read: \(reason)"
        case .root: "the root is a folder"
        case .readOnly: "you may only read what is shared with you there"
        default: exportSentence
        }
    }

    /// What an export says of a file that it leaves out.
    var exportSentence: String {
        switch self {
        case .contentNotHere: "its content is on the server alone, which cannot be reached"
        case .contentGone: "its content was purged, or taken back, since the last sync"
        case .contentNotKept(_, let reason): "its content is on the server alone: \(reason)"
        case .ownerDeleted(_, let username):
            "its content is gone: \(username) has deleted the account that it was in"
        case .badContent(_, let reason), .badName(_, let reason), .badPath(_, let reason): reason
        case .damaged: "it is damaged and does not open"
        case .unreadableContent(_, _, let reason): "its content cannot be read: \(reason)"
        case .notFound: "it was deleted meanwhile"
        default: "it cannot be carried over"
        }
    }
}
