import LockbookEngine

extension Failure {
    /// What is wrong with what several accounts share: all of it is told, and the gravest says how it ends.
    init(several errors: [LockbookError]) {
        let gravest: [Status] = [
            .integrity, .keyChanged, .damaged, .store, .updateNeeded, .guarded,
        ]
        func rank(_ failure: Failure) -> Int {
            gravest.firstIndex(of: failure.status) ?? gravest.count
        }
        let failures = errors.map { Failure($0) }.sorted { rank($0) < rank($1) }
        self.init(
            failures.first?.status ?? .failed,
            failures.compactMap(\.message).joined(separator: "; and "),
            hint: failures.first?.hint
        )
    }

    /// What goes wrong between people.
    init(share error: LockbookError) {
        switch error {
        case .keyChanged(let username):
            self.init(
                .keyChanged,
                "\(username) has other keys than when this device first met that account",
                hint:
                    "nothing was sent; ask \(username) by another way whether the account is new, "
                    + "because a server that lies looks the same; `lockbook share block "
                    + "\(username)` passes by what comes under that name, and keeps what you accepted"
            )
        case .notBlocked(let username):
            self.init(
                .notFound,
                "`\(username)` is not blocked",
                hint: "`lockbook share block --list` shows who is"
            )
        case .noSuchUser(let username):
            self.init(.notFound, "the server knows no account \(quoted(username))")
        case .userDeleted(let username):
            self.init(
                .notFound,
                "\(username) has deleted the account, which takes nothing any more",
                hint: "the name is not given again; ask what \(username) is called now"
            )
        case .readOnly(let path):
            self.init(.refused, "\(path) was shared with you to be read, not changed")
        case .ownersToChange(let path):
            self.init(
                .refused,
                "\(path) is another account's, whose owner alone moves, renames, deletes and shares it",
                hint: "`lockbook share leave` gives up the link to it"
            )
        case .ownersToPurge(let path):
            self.init(
                .refused,
                "\(path) is in another account's folder, whose owner alone deletes for good",
                hint: "`lockbook delete` puts it in the trash"
            )
        case .ownersToShare(let path):
            self.init(
                .refused,
                "\(path) is another account's; its owner, and who is admin there, decides who sees it"
            )
        case .shareBorder(let path):
            self.init(
                .refused,
                "\(path) cannot move out of what is shared, or from one share to another",
                hint: "copy what is in it, then delete it there"
            )
        case .badShare(let path, let reason):
            self.init(.badInput, "\(path): \(reason)")
        case .badTransfer(let path, let reason):
            self.init(.badInput, "\(path) cannot be given away so: \(reason)")
        case .notShared(let path, let username):
            self.init(
                .notFound,
                "\(path) is not shared with \(username)",
                hint: "`lockbook share list` shows who may see what"
            )
        case .noOffer(let name) where !Lockbook.isOfferID(name):
            self.init(
                .notFound,
                "nobody offers anything called \(quoted(name))",
                hint: "`lockbook share pending` shows what there is; offers come with a sync"
            )
        case .ambiguousOffer(let name, let matches):
            self.init(
                .badInput,
                "\(matches.count) offers are called \(quoted(name))",
                hint: "say which one by its id: " + matches.prefix(4).joined(separator: ", ")
                    + "; `lockbook share pending` shows whose they are"
            )
        case .noOffer(let id):
            self.init(
                .notFound,
                "nobody offers anything whose id begins with \(id)",
                hint: "`lockbook share pending` shows what there is; offers come with a sync"
            )
        case .acceptedAlready(let path):
            self.init(
                .exists,
                "it was accepted already, at \(path)",
                hint: "`lockbook move` puts it elsewhere"
            )
        case .badInvitation(let reason):
            self.init(.badInput, "no invitation: \(reason)")
        case .noInvitation(let id):
            self.init(
                .notFound,
                "the invitation \(id) was taken back before",
                hint: "`lockbook share list` shows those that are open"
            )
        case .invitationRefused(let reason):
            self.init(.refused, reason, hint: "ask for a new one; each is for one account, once")
        case .invitationNotNeeded(let path):
            self.init(
                .refused,
                "what it is for is shared with you already, at \(path)",
                hint: "no code is needed for that; `lockbook list -l` shows what is shared with you"
            )
        case .invitationHeld(let id):
            self.init(
                .refused,
                "what it is for is shared with you already; you left it, or did not accept it",
                hint: "`lockbook share accept \(id)` takes it, without a code"
            )
        default: self.init(.failed, Self.unexpected(error))
        }
    }
}
