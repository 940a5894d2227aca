import LockbookModel

/// What one sync did, in the words that a user and a script can act on.
public struct SyncReport: Sendable, Equatable, Codable {
    /// Something a merge decided that the user may want to know.
    public struct Note: Sendable, Hashable, Codable {
        public enum Kind: String, Sendable, Codable, CaseIterable {
            /// Both sides changed the text, and both changes are in it.
            case merged
            /// Both versions are in the document, between markers.
            case markers
            /// Both versions were kept; the local one under another name.
            case keptBoth
            /// Both versions were kept, of a document that was deleted elsewhere: both are in the trash.
            case keptBothInTrash
            /// The name was taken; the local file got another.
            case renamed
            /// A rename made here lost against one made elsewhere.
            case renameUndone
            /// A move made here lost against one made elsewhere, or would have made a cycle.
            case moveUndone
            /// A link, or a folder with one in it, that stands elsewhere, as its folder is shared now: where
            /// it stood.
            case linkMovedOut
            /// Purged elsewhere, or moved out of sight, and renamed, moved or open to a decision again
            /// here: that went with it.
            case purged
            /// What was made here stands elsewhere, as its folder is gone for good: where it stood.
            case folderGone
            /// What was made or changed here stood in a deleted place and is in the trash.
            case trashed
            /// A file that was changed here or elsewhere was deleted by the other side.
            case deleted
            /// A folder made here was joined with one of the same name.
            case folded
            /// A record could not be opened.
            case damaged
            /// The server does not have a content any more, or sends another one.
            case contentLost
            /// What somebody wrote over a file does not open: what it was goes back. Who.
            case overruled
            /// A change stays on this device because it cannot be pushed.
            case notPushed
            /// What was wanted of a share came to nothing, and no sync tries it again: who and why.
            case notDone
            /// The server does not let somebody be offered a file: who and why.
            case notShared
            /// The server refuses another mode of what is shared already: who, how and why.
            case notChanged
            /// Purged elsewhere and changed here: what was written here is a new file.
            case rescued
            /// Somebody shares something with this account: who and how.
            case offered
            /// What this account may do with what is shared with it is something else now: who and how.
            case modeChanged
            /// Who shared something took it back.
            case takenBack
            /// What was written in a share and may not be pushed any more is a document of one's own.
            case keptOwn
            /// What was made, renamed, moved or deleted in a share and may not be any more is as its
            /// owner has it: what had been done.
            case undone
            /// Somebody used an invitation of this account: who and how.
            case joined
            /// An invitation was used in vain: by whom, and why.
            case claimRefused
            /// What an invitation promised is there, and a link leads to it.
            case accepted
            /// The owner of a share gives it to this account: who.
            case given
            /// A share has another owner now: who.
            case transferred
            /// Of two links to one share, made on two devices, this one went: which one stays.
            case secondLink
            /// A link has the name that the owner of a share gave that now: where it stood.
            case linkRenamed
            /// Of two copies of a share that two devices took over, this one went to the trash: which
            /// one stays.
            case secondCopy
        }

        public var kind: Kind
        public var id: String
        public var path: String
        /// Where the other version is, or where it stood, what name lost, or why.
        public var detail: String
        /// What is offered by it: ids alone may be chosen by whoever shares, and the rest is for people.
        var offer: LinkTarget?

        private enum CodingKeys: String, CodingKey { case kind, id, path, detail }
    }

    public struct Traffic: Sendable, Equatable, Codable {
        public var requests = 0
        public var sent = 0
        public var received = 0
    }

    /// Paths of files that others changed.
    public var pulled: [String] = []
    /// Paths of files whose changes are on the server now, sorted.
    public var pushed: [String] = []
    /// What happened here to files that were pushed, or would be; nil where that was not asked for.
    public var changes: [StatusReport.Change]?
    /// Paths where files stood that are gone for good; of a folder with all in it, its own.
    public var purged: [String] = []
    /// Paths of files that others deleted, or purged while they were live here, and nobody changed here;
    /// of a folder with all in it, its own.
    public var deleted: [String] = []
    /// Paths where files stood that others moved to where this account does not see them, or has not
    /// accepted what they are in; of a folder with all in it, its own.
    public var left: [String] = []
    public var notes: [Note] = []
    /// Whether news of people, their offers and invitations went to the server, or would.
    public var people = false
    /// How often somebody else's push came first, and this one was made again over it.
    public var races = 0
    /// What this sync, or this dry run, itself cost.
    public var traffic = Traffic()
    /// Documents whose contents were left on the server until they are read.
    public var leftOnServer = 0
    /// Whether nothing of it was done: all this is what a sync would do.
    public var isDryRun = false
    /// How the server had been put back to an earlier state; nil when it was not, or when that was
    /// not to be accepted.
    ///
    /// Where a sync went back with it and broke off, it is in the report of the one that comes through.
    public var rollback: Rollback?
}

extension SyncReport {
    /// Notes what is not in it yet: what is planned once more is found once more.
    ///
    /// Where a server has no room, these may be as many as there are files.
    mutating func note(once found: [Note]) {
        guard found.count > 1 else {
            notes += found.filter { !notes.contains($0) }
            return
        }
        var known = Set(notes)
        notes += found.filter { known.insert($0).inserted }
    }

    /// Names each file once: a new folder goes to the server with what is in it, and again when it is
    /// shared.
    ///
    /// What went there comes by path, and so do decisions, those about one path by kind.
    mutating func nameOnce() {
        func once(_ paths: [String]) -> [String] {
            var seen: Set<String> = []
            return paths.filter { seen.insert($0).inserted }
        }
        pulled = once(pulled)
        // In what order it went rests on ids, which are drawn for what a sync makes itself.
        pushed = once(pushed).sorted()
        notes.sort {
            ($0.path, $0.kind.rawValue, $0.detail, $0.id)
                < ($1.path, $1.kind.rawValue, $1.detail, $1.id)
        }
        guard let all = changes else { return }
        var told: Set<String> = []
        changes = all.filter { told.insert($0.id).inserted }.sorted { $0.path < $1.path }
    }

    /// What was told of a file, and of what is in it, before it was moved back, is told where it stands now.
    mutating func follow(_ id: String, from tried: String, to path: String) {
        for index in notes.indices {
            let told = notes[index].path
            guard notes[index].id == id && told == tried || told.isBelow(tried) else { continue }
            notes[index].path = path + told.behind(tried)
        }
    }

    /// Whether a dry run and a sync say the same: all but their traffic, and the ids of what the sync
    /// made, which are drawn then: of second copies, and of such that are undone again.
    package func agrees(with other: SyncReport) -> Bool {
        func notes(_ report: SyncReport) -> [Note] {
            let made: Set<Note.Kind> = [.keptBoth, .keptBothInTrash, .rescued, .keptOwn]
            let copies = Set(report.notes.filter { made.contains($0.kind) }.map(\.id))
            return report.notes.map { note in
                var note = note
                let isMade =
                    copies.contains(note.id)
                    || note.kind == .undone && note.detail == StatusReport.Change.Kind.new.rawValue
                if isMade { note.id = "" }
                return note
            }.sorted { ($0.kind.rawValue, $0.path, $0.id) < ($1.kind.rawValue, $1.path, $1.id) }
        }
        func changes(_ report: SyncReport) -> [String]? {
            report.changes?.map { "\($0.kind.rawValue) \($0.path)" }.sorted()
        }
        guard changes(self) == changes(other) else { return false }
        return pulled.sorted() == other.pulled.sorted() && pushed.sorted() == other.pushed.sorted()
            && purged.sorted() == other.purged.sorted()
            && deleted.sorted() == other.deleted.sorted() && left.sorted() == other.left.sorted()
            && notes(self) == notes(other) && leftOnServer == other.leftOnServer
            && people == other.people
    }
}
