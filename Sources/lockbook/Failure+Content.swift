import LockbookEngine

extension Failure {
    /// What is wrong with the content of a file, or of a version of it.
    init(content error: LockbookError) {
        switch error {
        case .noVersion(let path, let version):
            self.init(
                .notFound,
                "\(path) has no version \(quoted(version))",
                hint:
                    "`lockbook history \(commandWord(path))` shows those it has; at least four digits"
            )
        case .versionGone(let path, let why):
            self.init(.notHere, why.sentence("this version of \(path)"))
        case .changedMeanwhile(let path):
            self.init(
                .failed,
                "\(path) was changed while it was read; what was given is not all of it",
                hint: "give the command again"
            )
        case .contentNotHere(let path):
            self.init(
                .notHere,
                "the content of \(path) is not on this device",
                hint: "it comes when the server can be reached; `lockbook sync --full` brings all"
            )
        case .earlierNotKnown(let path, let obstacle):
            self.init(
                obstacle.status,
                "\(obstacle.sentence) what \(path) was before",
                hint: "`lockbook history` shows what is on this device, to compare with --version"
            )
        case .contentGone(let path):
            self.init(
                .notHere,
                "the content of \(path) is gone: it was purged, or taken back, since the last sync",
                hint: "`lockbook sync` shows what became of it"
            )
        case .contentNotKept(let path, let reason):
            self.init(
                .store,
                "the content of \(path) is on the server alone, and cannot be brought here: \(reason)"
            )
        case .ownerDeleted(let path, let username):
            self.init(
                .notHere,
                "the content of \(path) is gone: \(username) has deleted the account that it was in",
                hint: "`lockbook sync` tells the rest"
            )
        case .badContent(let path, let reason):
            self.init(
                .integrity,
                "the content of \(path) cannot be had: \(reason)",
                hint: "the device that wrote it may still have it; everything else goes on"
            )
        case .damaged(let file, let author):
            self.init(
                .damaged,
                "\(file) is damaged" + (author.isEmpty ? "" : ", as \(author) wrote it"),
                hint: "`lockbook debug info` shows what is known about it"
            )
        case .unreadableContent(let path, let file, let reason):
            self.init(
                .store,
                "the content of \(path) cannot be read: \(reason)",
                hint: "it is in \(file); `lockbook debug validate --repair` "
                    + "fetches it again, where the server has it"
            )
        case .unreadableChange(let path):
            self.init(
                .damaged,
                "what was changed here in \(path) does not open, and this sync would write over it",
                hint: "it was left as it is; put the data directory back from a copy, or bring the "
                    + "account to another one with `account import`: what was synced is "
                    + "on the server"
            )
        case .unreadableWords(let path):
            self.init(
                .damaged,
                "what was written here in \(path) does not open, and may not be written there any "
                    + "more",
                hint: "all else was kept; what was saved there before is in the trash, which "
                    + "`lockbook trash` shows"
            )
        default:
            self.init(.failed, Self.unexpected(error))
        }
    }
}

extension FileVersion.Loss {
    fileprivate func sentence(_ version: String) -> String {
        switch self {
        case .notKept: "the server keeps the content of \(version) no more"
        case .notShared: "the content of \(version) is not shared with you any more"
        case .noKey: "no key is left here that opens \(version)"
        }
    }
}
