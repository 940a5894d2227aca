import LockbookModel

/// Where something stands: in this account's tree, or behind one of its links.
struct SharedPlace {
    let lockbook: Lockbook
    let reference: FileReference
    /// The path in the other store and in this account's own tree.
    let top: String
    let link: String

    init(lockbook: Lockbook, reference: FileReference, top: String, link: String) {
        (self.lockbook, self.reference) = (lockbook, reference)
        (self.top, self.link) = (top, link)
    }

    /// One in this account's own tree, where paths are what they are.
    init(lockbook: Lockbook, reference: FileReference) {
        self.init(lockbook: lockbook, reference: reference, top: "", link: "")
    }

    /// A path of the other store as the user knows it.
    func own(_ path: String) -> String {
        guard path == top || path.isBelow(top) else { return path }
        return link + path.behind(top)
    }

    func own(_ info: FileInfo) -> FileInfo {
        var info = info
        let isTop = info.path == top
        info.path = own(info.path)
        if isTop, let name = info.path.steps.last { info.name = name }
        return info
    }
}

extension LocalTree {
    /// The path of the innermost shared file around one that somebody made a link to, and of the
    /// link; without any, of the outermost and what it is called.
    func nearest(_ links: [FileID: ShareLink], above start: FileRow) throws
        -> (top: String, link: String)
    {
        var row = start
        while links[row.id] == nil, row.parent != root, let folder = try self.row(row.parent) {
            row = folder
        }
        return (try path(of: row), links[row.id]?.path ?? "id:\(row.id)")
    }
}

extension LockbookError {
    /// The path of a file of the tree that it names; nil where it names none, or something of the disk.
    public var path: String? {
        switch self {
        case .leadsNowhere(let path), .shareEnded(let path, _), .linkGone(let path),
            .linkCame(let path):
            return path
        default:
            var path: String?
            _ = renamed {
                path = $0
                return $0
            }
            return path
        }
    }

    /// The same failure with another path.
    func renamed(_ own: (String) -> String) -> LockbookError {
        switch self {
        case .notFound(let path): .notFound(path: own(path))
        case .exists(let path): .exists(path: own(path))
        case .notAFolder(let path): .notAFolder(path: own(path))
        case .notADocument(let path): .notADocument(path: own(path))
        case .notText(let path): .notText(path: own(path))
        case .slashAtEnd(let path): .slashAtEnd(path: own(path))
        case .intoItself(let path): .intoItself(path: own(path))
        case .tooCostly(let query, let path): .tooCostly(query: query, path: own(path))
        case .contentNotHere(let path): .contentNotHere(path: own(path))
        case .contentGone(let path): .contentGone(path: own(path))
        case .ownerDeleted(let path, let username):
            .ownerDeleted(path: own(path), username: username)
        case .badContent(let path, let reason): .badContent(path: own(path), reason: reason)
        case .contentNotKept(let path, let reason):
            .contentNotKept(path: own(path), reason: reason)
        case .damaged(let file, let author): .damaged(file: own(file), author: author)
        case .unreadableContent(let path, let file, let reason):
            .unreadableContent(path: own(path), file: file, reason: reason)
        case .unreadableChange(let path): .unreadableChange(path: own(path))
        case .unreadableWords(let path): .unreadableWords(path: own(path))
        case .changedMeanwhile(let path): .changedMeanwhile(path: own(path))
        case .readOnly(let path): .readOnly(path: own(path))
        case .ownersToChange(let path): .ownersToChange(path: own(path))
        case .ownersToPurge(let path): .ownersToPurge(path: own(path))
        case .ownersToShare(let path): .ownersToShare(path: own(path))
        case .badShare(let path, let reason): .badShare(path: own(path), reason: reason)
        case .notShared(let path, let username): .notShared(path: own(path), username: username)
        case .badTransfer(let path, let reason): .badTransfer(path: own(path), reason: reason)
        case .shareBorder(let path): .shareBorder(path: own(path))
        case .notInTrash(let path): .notInTrash(path: own(path))
        case .noConflict(let path): .noConflict(path: own(path))
        case .neitherSide(let path): .neitherSide(path: own(path))
        case .sameWriter(let path): .sameWriter(path: own(path))
        case .versionGone(let path, let why): .versionGone(path: own(path), why: why)
        case .earlierNotKnown(let path, let obstacle):
            .earlierNotKnown(path: own(path), obstacle: obstacle)
        case .noVersion(let path, let version): .noVersion(path: own(path), version: version)
        default: self
        }
    }
}
