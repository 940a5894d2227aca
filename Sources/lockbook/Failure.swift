import LockbookEngine

/// What a failure tells the user, and how the program ends; nothing else knows these numbers.
struct Failure {
    /// Nil when everything was said before.
    var message: String?
    var hint: String?
    var status: Status

    init(_ status: Status, _ message: String?, hint: String? = nil) {
        self.message = message
        self.hint = hint
        self.status = status
    }

    init(_ error: any Error) {
        switch error {
        case let error as LockbookError: self.init(engine: error)
        case let error as CommandError: self.init(command: error)
        case let error as UsageError: self.init(.usage, error.message, hint: error.hint)
        default:
            if let error = LockbookError(inside: error) {
                self.init(engine: error)
            } else {
                self.init(.failed, Self.unexpected(error))
            }
        }
    }

    /// What is said of a failure that nothing else has a sentence for.
    ///
    /// One that describes itself does that in words. Any other one is a value of the code, whose name
    /// tells a user nothing; its type is for whoever mends that.
    static func unexpected(_ error: any Error) -> String {
        type(of: error) is any CustomStringConvertible.Type
            ? "\(error)"
            : "a failure that this program has no words for (\(type(of: error)))"
    }

    private init(engine error: LockbookError) {
        switch error {
        case .noAccount(let directory):
            self.init(
                .noAccount,
                "no account in \(directory)",
                hint: "make one with `lockbook account new NAME`, or bring yours here with "
                    + "`lockbook account import`"
            )
        case .accountExists(let username, let directory):
            self.init(
                .exists,
                "the account \(username) is in \(directory) already",
                hint: "choose another folder with LOCKBOOK_PATH, or leave this account with "
                    + "`lockbook account logout`"
            )
        case .badUsername(let name):
            self.init(
                .badInput,
                "\(quoted(name)) cannot be a username",
                hint: "1 to 32 of a-z, 0-9, `.`, `_` and `-`, with a letter or a digit at both ends"
            )
        case .badKey(let reason):
            self.init(
                .badInput,
                "this is not the key: \(reason)",
                hint: "the 24 words of `account export --phrase`, in their order, or the "
                    + "key of `account export`"
            )
        case .notFound, .leadsNowhere, .shareEnded, .linkGone, .linkCame, .notInTrash, .noConflict,
            .neitherSide, .sameWriter, .ambiguous, .exists, .nothingToUndo, .cannotUndo,
            .tooLargeToUndo, .changedHere, .undecidedHere, .unknownHere, .ofAnotherOwner,
            .notAFolder, .notADocument, .notText, .notUTF8, .slashAtEnd, .badName, .badPath,
            .badQuery, .tooCostly, .root, .intoItself:
            self.init(file: error)
        case .noVersion, .versionGone, .earlierNotKnown, .contentNotHere, .contentGone,
            .contentNotKept, .ownerDeleted, .badContent, .damaged, .unreadableContent,
            .unreadableChange, .unreadableWords, .changedMeanwhile:
            self.init(content: error)
        case .offline, .unavailable, .notALockbookServer, .untrustedServer, .insecureServer,
            .badServerAddress,
            .refused, .usernameTaken, .accountDeleted, .deletionUnknown, .unknownAccount,
            .integrity,
            .rolledBack, .forked:
            self.init(server: error)
        case .keyChanged, .noSuchUser, .userDeleted, .notBlocked, .readOnly, .ownersToChange,
            .ownersToPurge, .ownersToShare,
            .shareBorder,
            .badShare, .badTransfer,
            .notShared,
            .noOffer, .ambiguousOffer, .acceptedAlready, .badInvitation, .noInvitation,
            .invitationRefused, .invitationHeld,
            .invitationNotNeeded:
            self.init(share: error)
        case .updateNeeded(let what):
            self.init(
                .updateNeeded,
                "update needed: \(what)",
                hint: "install a newer lockbook"
            )
        case .serverUpdateNeeded(let what):
            self.init(
                .updateNeeded,
                "update needed: \(what)",
                hint: "the server needs a newer lockbook-server; all but syncing works until then"
            )
        case .busy(let what):
            self.init(.busy, "another process is at work: \(what)", hint: "try again in a moment")
        case .several(let errors): self.init(several: errors)
        case .stopped(let stop):
            self.init(
                .guarded,
                "this sync \(stop.prospect)",
                hint: "nothing of that was done; `lockbook sync --dry-run "
                    + "--accept-deletions` shows all of it, and if it is meant, "
                    + "`lockbook sync --accept-deletions`"
            )
        case .notSyncedYet:
            self.init(
                .notHere,
                "your notes are not on this device yet",
                hint: "`lockbook sync` brings them"
            )
        case .unsyncedChanges(let changes):
            self.init(
                .guarded,
                "\(count(changes, "change")) would be lost that no server has yet",
                hint: "`lockbook sync` first, or give them up with `--force`"
            )
        case .unsyncableChanges(let changes):
            self.init(
                .guarded,
                "\(count(changes, "change")) would be lost, and no server takes any more: the account "
                    + "was deleted",
                hint: "`lockbook export` copies all, and `--force` gives them up"
            )
        case .badExport(let path, let reason):
            self.init(
                .badInput,
                "cannot import \(path): \(reason)",
                hint: "nothing was changed"
            )
        case .missingLibrary(let name, let package):
            self.init(
                command: .missingLibrary(name, purpose: "reads archives", package: package)
            )
        case .store(let reason, _):
            self.init(.store, "the store cannot be used: \(reason)")
        case .damagedStore(let directory):
            self.init(
                .damaged,
                "the database in \(directory) is damaged",
                hint: "put the data directory back from a copy; or move lockbook.db and what "
                    + "begins with its name out of it: the key stays, and a sync brings what was "
                    + "synced"
            )
        case .damagedKeyFile(let path):
            self.init(
                .damaged,
                "the key file \(path) is damaged",
                hint: "put the data directory back from a copy, or bring the account to another "
                    + "one with `account import`; what was synced is on the server"
            )
        case .io(let path, let reason):
            self.init(.store, "\(path): \(reason)")
        case .notAllRemoved(let directory, let path, let reason):
            self.init(
                .store,
                "the account is gone from this device, but removing what it left failed: "
                    + "\(path): \(reason)",
                hint: "delete what is left of it in \(directory)"
            )
        case .tooFewFiles(let limit):
            self.init(
                .store,
                "this process may hold only \(count(limit, "file")) open, which is too few",
                hint: "`ulimit -n` shows and changes that"
            )
        case .tooFewThreads:
            self.init(
                .store,
                "this process may not make as many threads as it needs",
                hint: "`ulimit -u` and `ulimit -v` show limits on that; a service has `TasksMax`, "
                    + "a container its limit on processes"
            )
        case .wrongModes(let path):
            self.init(
                .store,
                "\(path) is no file of this user, or a link",
                hint: "if it is your account, put the file itself there, chown it to yourself, or "
                    + "be the user whose it is"
            )
        }
    }
}
