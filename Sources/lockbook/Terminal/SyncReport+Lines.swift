import LockbookEngine

extension SyncReport {
    /// What a sync did or would do, for a person: the numbers, then what was decided.
    /// - Parameter username: whose sync it is.
    func lines(for username: String) -> [String] {
        var lines: [String]
        if pulled.isEmpty, pushed.isEmpty, purged.isEmpty, left.isEmpty, notes.isEmpty, !people {
            lines = ["nothing to do, everything is synced"]
        } else if isDryRun {
            lines = ["would pull \(pulled.count), would push \(pushed.count)"]
            let kinds = Dictionary(
                (changes ?? []).map { ($0.path, $0.kind.rawValue) },
                uniquingKeysWith: { first, _ in first }
            )
            let pushes = pushed.sorted().map { path in
                path + (kinds[path].map { "  (\($0))" } ?? "")
            }
            lines += Self.list(pulled, "pull") + Self.list(pushes, "push")
            lines += Self.list(purged, "purge")
        } else {
            lines = ["pulled \(pulled.count), pushed \(pushed.count)"]
        }
        if !purged.isEmpty {
            lines[0] += isDryRun ? ", would purge \(purged.count)" : ", purged \(purged.count)"
        }
        lines.insert(contentsOf: rollbackLines, at: 0)
        let purged = Set(purged)
        let what = isDryRun ? "deleted elsewhere, it would go to the trash" : "deleted elsewhere"
        lines += Self.deletions(deleted.filter { !purged.contains($0) }, what)
        // A dry run has named what it would purge.
        if !isDryRun {
            lines += Self.deletions(deleted.filter(purged.contains), "purged elsewhere")
        }
        lines += Self.deletions(left, "moved out of reach")
        if people {
            let what = isDryRun ? "would push" : "pushed"
            lines.append("  \(what) news of people, offers or invitations")
        }
        lines += shortened(notes, username).map { "  \($0)" }
        if leftOnServer > 0 {
            lines.append(
                count(leftOnServer, "large content")
                    + (isDryRun ? " would stay" : " left")
                    + " on the server until read; `lockbook sync --full` brings all"
            )
        }
        return lines
    }

    private static func deletions(_ paths: [String], _ what: String) -> [String] {
        let shown = shownCount
        let rest = paths.count - shown
        return paths.sorted().prefix(shown).map { "  \(what): \($0)" }
            + (rest > 0 ? ["  \(what): … and \(rest) more"] : [])
    }

    /// Whether there is anything to tell of, in a sync that failed before its end.
    var didSomething: Bool {
        !(pulled.isEmpty && pushed.isEmpty && purged.isEmpty && deleted.isEmpty && left.isEmpty
            && notes.isEmpty && !people)
    }

    /// How far this device went back with a server.
    private var rollbackLines: [String] { rollback?.lines(isDryRun) ?? [] }

    /// What there is to tell later of a sync that nobody watched.
    func unwatched(for username: String) -> [String] { rollbackLines + decisions(for: username) }

    /// What somebody may want to look at: all but texts that were merged and folders that were joined.
    func decisions(for username: String) -> [String] {
        shortened(notes.filter { $0.kind != .merged && $0.kind != .folded }, username)
    }

    /// A sentence for each, and for the first 20 of what one member or a server can do to all at once.
    private func shortened(_ notes: [Note], _ username: String) -> [String] {
        var counts: [Note.Kind: Int] = [:]
        for note in notes { counts[note.kind, default: 0] += 1 }
        var shown: [Note.Kind: Int] = [:]
        var sentences: [String] = []
        for note in notes {
            let number = shown[note.kind, default: 0] + 1
            shown[note.kind] = number
            if number <= Self.shownCount || !note.comesInMasses {
                sentences.append(sentence(note, username))
            } else if number == counts[note.kind] {
                let rest = number - Self.shownCount
                let what = isDryRun ? note.wouldHappen : note.happened
                sentences.append("\(what): … and \(rest) more")
            }
        }
        return sentences
    }

    private func sentence(_ note: Note, _ username: String) -> String {
        // Nobody is told his own name as that of somebody else.
        if note.kind == .transferred, note.detail == username {
            return "is yours now: \(note.path)"
        }
        return isDryRun ? note.prospect : note.sentence
    }

    private static let shownCount = 20

    /// The first of them: who wants to see them all asks for JSON.
    private static func list(_ paths: [String], _ verb: String) -> [String] {
        let shown = shownCount
        let rest = paths.count - shown
        return paths.sorted().prefix(shown).map { "  \(verb)  \($0)" }
            + (rest > 0 ? ["  \(verb)  … and \(rest) more"] : [])
    }
}

extension Rollback {
    fileprivate func lines(_ isDryRun: Bool) -> [String] {
        var lines: [String] = []
        if known != common {
            lines.append("the server went back: \(left)")
        }
        if known != common, files > 0 {
            let verb = isDryRun ? "would be" : files == 1 ? "is" : "are"
            let pronoun = files == 1 ? "it is" : "they are"
            // Another device may have pushed it, and what this one has is the same.
            lines.append(
                "\(count(files, "file")) that it lost \(verb) there again as \(pronoun) here"
            )
        }
        lines += grants.map { $0.line(isDryRun) }
        if !shares.isEmpty {
            lines.append(
                "it also forgot changes in what these share: " + shares.joined(separator: ", ")
            )
        }
        return lines
    }

    /// What the server still has of what this device saw.
    private var left: String {
        // The registration, entry 0, is no change.
        let seen = "the \(count(Int(clamping: known), "change")) that this device saw"
        guard shown > 0 else { return "it has none of \(seen)" }
        guard let common else { return "of \(seen) it does not tell which it has" }
        let time = commonTime.map { " of \(localTime(milliseconds: $0))" } ?? ""
        return "of \(seen) it has those up to change \(common)\(time)"
    }
}

extension Rollback.Regrant {
    fileprivate func line(_ isDryRun: Bool) -> String {
        let happens = isDryRun ? "would be" : "is"
        guard let mode else { return "\(path) \(happens) taken back from \(username) again" }
        return "\(path) \(happens) shared with \(username) again (\(mode.rawValue))"
    }
}

extension SyncReport.Note {
    /// Whether something was to be done and was not.
    var isLeft: Bool {
        switch kind {
        case .notPushed, .notDone, .notShared, .notChanged, .damaged: true
        default: false
        }
    }

    fileprivate var comesInMasses: Bool {
        switch kind {
        case .overruled, .damaged, .contentLost, .purged, .deleted, .trashed, .keptOwn: true
        default: false
        }
    }

    fileprivate var sentence: String { sentence(happened) }
    fileprivate var prospect: String { sentence(wouldHappen) }

    private func sentence(_ what: String) -> String {
        "\(what): \(path)" + (detail.isEmpty ? "" : " (\(detail))")
    }

    fileprivate var happened: String {
        switch kind {
        case .merged: "both changes are in it"
        case .markers: "both versions are in it, between markers"
        case .keptBoth: "kept both versions, this device's is here"
        case .keptBothInTrash: "kept both versions, both in the trash"
        case .renamed: "the name was taken, renamed"
        case .renameUndone: "your rename is undone, it is called what it is elsewhere"
        case .moveUndone: "your move is undone, it stands where it does elsewhere"
        case .linkMovedOut: "its folder is shared now, where no link can be, so it stands here"
        case .purged: "purged elsewhere or moved out of reach, what you did to it went with it"
        case .folderGone: "its folder was purged elsewhere, it is here now"
        case .trashed: "its folder was deleted, it is in the trash"
        case .deleted: "deleted on one side, changed on the other, it is in the trash"
        case .folded: "joined with the folder of the same name"
        case .damaged: "damaged"
        case .contentLost: "its content cannot be had"
        case .overruled: "what somebody wrote over it does not open, what it was goes back"
        case .notPushed: "not pushed, it stays on this device"
        case .notDone: "not done, and not tried again"
        case .notShared: "not shared"
        case .notChanged: "what somebody may do there is not changed"
        case .rescued: "purged elsewhere or moved out of reach, what was changed here is a new file"
        case .offered: "offered to you, `lockbook share pending` shows it"
        case .modeChanged: "shared with you in another mode now"
        case .takenBack: "taken back, it is not shared with you any more"
        case .keptOwn: "what you wrote where you may not any more is yours alone now"
        case .undone: "you may not change it any more, what you did is undone"
        case .joined: "an invitation was used"
        case .claimRefused: "an invitation was used in vain"
        case .accepted: "an invitation came through, it is here"
        case .given: "offered to be yours for good, `lockbook share pending` shows it"
        case .transferred: "has another owner now"
        case .secondLink: "two links led to one share, this one went and the other one stays"
        case .linkRenamed: "the owner renamed what is shared with you, and it is called so here"
        case .secondCopy:
            "accepted on two devices, this copy is in the trash and the other one stays"
        }
    }

    fileprivate var wouldHappen: String {
        switch kind {
        case .merged: "both changes would be in it"
        case .markers: "both versions would be in it, between markers"
        case .keptBoth: "both versions would be kept, this device's would be here"
        case .keptBothInTrash: "both versions would be kept, both in the trash"
        case .renamed: "the name is taken, it would be renamed"
        case .renameUndone: "your rename would be undone, it would be called what it is elsewhere"
        case .moveUndone: "your move would be undone, it would stand where it does elsewhere"
        case .linkMovedOut: "its folder is shared now, where no link can be, it would stand here"
        case .purged: "purged elsewhere or moved out of reach, what you did to it would go with it"
        case .folderGone: "its folder was purged elsewhere, it would be here"
        case .trashed: "its folder was deleted, it would be in the trash"
        case .deleted: "deleted on one side, changed on the other, it would be in the trash"
        case .folded: "would be joined with the folder of the same name"
        case .damaged, .contentLost: happened
        case .overruled: "what somebody wrote over it does not open, what it was would go back"
        case .notPushed: "would not be pushed, it would stay on this device"
        case .notDone: "would not be done, and not tried again"
        case .rescued:
            "purged elsewhere or moved out of reach, what was changed here would be a new file"
        case .secondLink: "two links lead to one share, this one would go and the other one stay"
        case .linkRenamed:
            "the owner renamed what is shared with you, and it would be called so here"
        case .secondCopy:
            "accepted on two devices, this copy would go to the trash and the other one stay"
        case .notShared, .notChanged, .offered, .modeChanged, .takenBack, .keptOwn, .undone,
            .joined,
            .claimRefused, .accepted, .given, .transferred:
            happened
        }
    }
}

extension SyncProgress {
    var sentence: String {
        switch self {
        case .connecting: "connecting"
        case .pulling(let files): "pulling: \(count(files, "file"))"
        case .merging: "merging"
        case .uploading(let done, let all): "uploading: \(byteCount(done)) of \(byteCount(all))"
        case .downloading(let done, let all): "downloading: \(byteCount(done)) of \(byteCount(all))"
        case .finishing: "finishing"
        }
    }
}
