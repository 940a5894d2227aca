import LockbookCrypto
import LockbookModel

/// What can go wrong when a lockbook is used, one case for each thing that a caller may tell apart.
///
/// Names and paths in it may have been written by others: escape them before a terminal sees them.
public enum LockbookError: Error, Equatable, Sendable {
    /// There is no account in this data directory yet.
    case noAccount(directory: String)
    case accountExists(username: String, directory: String)
    case badUsername(String)
    /// The key or phrase was mistyped; the sentence says where.
    case badKey(reason: String)

    /// The account was brought to this device and was not synced since: there is no tree yet.
    case notSyncedYet

    case notFound(path: String)
    /// The owner deleted what the link leads to.
    case leadsNowhere(path: String)
    /// What the link led to is not shared with this account any more.
    /// - Parameter username: whose it was, where that account was deleted.
    case shareEnded(path: String, username: String? = nil)
    /// The link that led to where something was to be stored went before it was all there.
    case linkGone(path: String)
    /// A link came to where something was to be stored of one's own before it was all there.
    case linkCame(path: String)
    case notInTrash(path: String)
    /// Nothing is to be decided about the file.
    case noConflict(path: String)
    /// Neither version between the markers is of this device.
    case neitherSide(path: String)
    /// Both versions between the markers are of this device, or of a copy of it.
    case sameWriter(path: String)
    /// No command is remembered that could be taken back, or not this one.
    case nothingToUndo(command: Int64?)
    /// The sentence says why a command cannot be taken back.
    case cannotUndo(reason: String)
    /// It changed more files than are remembered of one command.
    case tooLargeToUndo(limit: Int)
    /// The file has no version whose name begins so.
    case noVersion(path: String, version: String)
    /// The content of this version cannot be had any more.
    case versionGone(path: String, why: FileVersion.Loss = .notKept)
    /// What stood before in the document is the server's to tell, which was not asked.
    case earlierNotKnown(path: String, obstacle: FileHistory.Obstacle = .unreachable)
    /// Several files are meant: by the beginning of an id, or by a path in the trash.
    case ambiguous(prefix: String, matches: [String])
    case exists(path: String)
    /// A note was changed here that a file of the disk was to replace.
    case changedHere(path: String)
    /// The same of a note with a conflict that nobody decided yet.
    /// - Parameter isListed: whether `conflicts` lists it.
    case undecidedHere(path: String, isListed: Bool)
    /// A note has the name that something of another program gets, and is not known to be made of it.
    case unknownHere(path: String)
    /// A file of the disk was taken into, or written of, what had another owner and stood here.
    case ofAnotherOwner(path: String)
    case notAFolder(path: String)
    case notADocument(path: String)
    /// A document whose bytes are none of a text, where a line was to be added.
    case notText(path: String)
    /// A template that is not UTF-8, in which nothing can be filled in.
    case notUTF8(path: String)
    /// A slash ends the path where a document is to be made, and nothing is there.
    case slashAtEnd(path: String)
    case badName(name: String, reason: String)
    case badPath(path: String, reason: String)
    /// What cannot be searched for; the sentence says why.
    case badQuery(query: String, reason: String)
    /// An expression that takes too many steps in a document, or in its name.
    case tooCostly(query: String, path: String)
    /// The root cannot be renamed, moved, deleted or replaced.
    case root
    case intoItself(path: String)
    /// The document's bytes are not on this device, and the server cannot be reached or was not to be.
    case contentNotHere(path: String)
    /// Nor on the server any more: the document was purged or taken back since the last sync.
    case contentGone(path: String)
    /// A content that was on the server alone, of an account that its owner has deleted since.
    case ownerDeleted(path: String, username: String)
    /// What the server sends for the document is not what was written, or it lost that.
    case badContent(path: String, reason: String)
    /// The document's content is on the server alone, and cannot be kept here.
    case contentNotKept(path: String, reason: String)
    case damaged(file: String, author: String)
    /// The disk does not give the document's bytes, which are in this file of the data directory.
    case unreadableContent(path: String, file: String, reason: String)
    /// What was changed here opens with no key that is known, and a sync would write over it: it did not.
    case unreadableChange(path: String)
    /// What was written here in a share that was taken back does not open: all else was kept.
    case unreadableWords(path: String)
    /// The document was changed while it was read; what was given of it is of the version before.
    case changedMeanwhile(path: String)

    case offline(server: String, reason: String)
    /// The server is there and cannot do its work: its disk is full, it is going down.
    case unavailable(server: String, reason: String)
    case notALockbookServer(server: String, reason: String)
    case untrustedServer(server: String, reason: String)
    /// Plain HTTP to another machine.
    case insecureServer(server: String)
    case badServerAddress(String)
    case refused(reason: String)
    case usernameTaken(String)
    /// The owner deleted the account on the server: when, in milliseconds since 1970. It is proved by what he
    /// signed.
    case accountDeleted(username: String, time: Int64)
    /// The account was to be deleted, and no answer tells whether it was.
    /// - Parameter isSynced: whether a server is known to have the account.
    case deletionUnknown(server: String, reason: String, isSynced: Bool)
    /// The server has no account with this key.
    case unknownAccount(server: String)
    /// The server broke a promise; nothing was changed here.
    /// - Parameter sharer: who may have done it as well, since it is what he signed for what he shares.
    case integrity(reason: String, sharer: String? = nil)
    /// The server shows an older log than this device knows, or one that left it before that entry.
    /// - Parameter sharer: whose log it is; nil for this account's own.
    case rolledBack(known: UInt64, shown: UInt64, sharer: String? = nil)
    /// What went wrong in one sync, each in its own way: with this account's own, or with what others
    /// share.
    case several([LockbookError])
    /// A key is of a device that was shown another entry in this place than this one.
    case forked(position: UInt64)
    /// Something is of a newer version than this program.
    case updateNeeded(what: String)
    /// The server is older than this program, or says that it cannot read what this program writes.
    case serverUpdateNeeded(what: String)
    /// Another process holds what is needed.
    case busy(what: String)
    /// A sync would delete or replace more than it may without being told to.
    case stopped(SyncStop)
    case unsyncedChanges(count: Int)
    /// The same of an account that was deleted: no server takes them any more.
    case unsyncableChanges(count: Int)

    /// The account has other keys than when this device first met it.
    case keyChanged(username: String)
    case noSuchUser(username: String)
    /// Whose account this was has deleted it.
    case userDeleted(username: String)
    case notBlocked(username: String)
    /// What others shared to be read, and not to be changed.
    case readOnly(path: String)
    /// The shared file itself: its owner alone moves, renames and deletes it.
    case ownersToChange(path: String)
    case ownersToPurge(path: String)
    /// Only its owner, and who is admin there, decides who else sees it.
    case ownersToShare(path: String)
    /// A file does not change the place where it is inside a share for one outside, or the other
    /// way round, where that is not one step.
    case shareBorder(path: String)
    /// What cannot be shared, or not so; the sentence says why.
    case badShare(path: String, reason: String)
    case notShared(path: String, username: String)
    /// What cannot be given to another owner, or not so; the sentence says why.
    case badTransfer(path: String, reason: String)
    /// Nobody offers what an id, or an owner and a name, means.
    case noOffer(id: String)
    /// Several offers are called so; each of the matches means one of them.
    case ambiguousOffer(name: String, matches: [String])
    /// What is offered was accepted before, and is at this path.
    case acceptedAlready(path: String)
    /// What another program exported, and cannot be taken in; nothing was changed.
    case badExport(path: String, reason: String)
    /// A library that is loaded when it is needed, and its package in Debian.
    case missingLibrary(name: String, package: String)
    /// What is no invitation's code, or cannot be invited to so; the sentence says why.
    case badInvitation(reason: String)
    /// An invitation of this account that it took back before.
    case noInvitation(id: String)
    /// An invitation that is used, expired or taken back.
    case invitationRefused(reason: String)
    /// An invitation's code gives nothing that this account has not: it left that, or rejected it.
    case invitationHeld(id: String)
    /// An invitation's code gives nothing that this account has not, at this path.
    case invitationNotNeeded(path: String)
    /// The local store cannot be used: full, read-only, damaged.
    ///
    /// It has a limit where it takes nothing more of what was to be written.
    case store(reason: String, limit: StoreLimit? = nil)
    /// The database is not what was written.
    case damagedStore(directory: String)
    /// The key file is not what was written.
    case damagedKeyFile(path: String)
    case io(path: String, reason: String)
    /// The account is gone from its directory, where something of it could not be removed.
    case notAllRemoved(directory: String, path: String, reason: String)
    /// This process may hold fewer files open than what it was to do takes.
    case tooFewFiles(limit: Int)
    /// This process may make fewer threads than what it was to do takes.
    case tooFewThreads
    /// The key file is another user's, or no regular file.
    case wrongModes(path: String)
}

extension LockbookError {
    static func noSpace(for directory: String) -> LockbookError {
        .store(reason: "no space left for the data directory \(directory)", limit: .full)
    }

    static func unwritable(_ directory: String) -> LockbookError {
        .store(reason: "the data directory \(directory) cannot be written", limit: .unwritable)
    }

    /// What comes of a file that does not open, or a call of the system, where nothing is known of it but that.
    /// - Returns: nil for any other failure.
    public init?(inside failure: any Error) {
        switch failure {
        case is DamagedRecord:
            self = .store(
                reason: "something in it was damaged by who may write there, and does not open"
            )
        case DecodingFailure.unknownFormat:
            self = .updateNeeded(what: "a newer program wrote to this data directory")
        // What a user types is checked where it is read: this name stood in something that was decoded.
        case is OpeningFailure, is DecodingFailure, is FileNameFailure:
            self = .store(reason: "something in it is not as it was written")
        case let failure as DiskFailure:
            self = .io(path: failure.path, reason: failure.reason)
        default: return nil
        }
    }
}
