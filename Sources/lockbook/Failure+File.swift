import LockbookEngine

extension Failure {
    /// What is wrong with a file that was named.
    init(file error: LockbookError) {
        switch error {
        case .notFound(let path) where path == "id:" || path.hasPrefix("id:/"):
            self.init(
                .notFound,
                "id: names no file without the beginning of an id behind it",
                hint: "`lockbook list -l` shows the ids"
            )
        case .notFound(let path) where path.hasPrefix("id:") && path.contains("/"):
            self.init(.notFound, "no file at \(path)")
        case .notFound(let path) where path.hasPrefix("id:"):
            self.init(.notFound, "no file whose id begins with \(path.dropFirst(3))")
        case .notFound(let path) where path.hasSuffix("/"):
            self.init(
                .notFound,
                "no folder at \(path)",
                hint:
                    "`lockbook new \(commandWord(path))` makes it; `lockbook list` shows what is there"
            )
        case .notFound(let path) where path.contains(where: Self.isOfPatterns):
            self.init(.notFound, "no file at \(path)", hint: Self.unexpanded(path))
        case .notFound(let path):
            self.init(.notFound, "no file at \(path)", hint: "`lockbook list` shows what is there")
        case .leadsNowhere(let path):
            self.init(
                .notFound,
                "nothing is behind \(path): its owner deleted what it leads to, or it did not come here",
                hint: "it leads there again when the owner restores that; a sync says what else "
                    + "is in the way, and `lockbook delete` takes the link away"
            )
        case .shareEnded(let path, let username?):
            self.init(
                .notFound,
                "\(path) would lead to nothing: \(username) has deleted the account that it was in"
            )
        case .shareEnded(let path, nil):
            self.init(
                .notFound,
                "\(path) would lead to nothing: it is not shared with you any more",
                hint: "`lockbook share pending` shows it, should it be offered again"
            )
        case .linkGone(let path):
            self.init(
                .notFound,
                "nothing is stored: the link \(path) went before the end of the input",
                hint: "what it led to was taken back, or the link was moved or deleted; "
                    + "`lockbook trash` shows the latter"
            )
        case .linkCame(let path):
            self.init(
                .notFound,
                "nothing is stored: \(path) is a link since the input began, to what another "
                    + "account shares"
            )
        case .notInTrash(let path):
            self.init(
                .notFound,
                "nothing in the trash was at \(path)",
                hint: Self.idHint(path) + "`lockbook trash` shows what was deleted"
            )
        case .noConflict(let path):
            self.init(
                .notFound,
                "nothing is to be decided about \(path)",
                hint: Self.idHint(path) + "`lockbook conflicts` shows what is"
            )
        case .neitherSide(let path):
            self.init(
                .conflict,
                "both versions in \(path) are of other devices: neither is the local one",
                hint: "`lockbook conflicts resolve` without --keep opens it in the editor"
            )
        case .sameWriter(let path):
            self.init(
                .conflict,
                "both versions in \(path) are of this device or of a copy of it: which is the local "
                    + "one cannot be told",
                hint:
                    "--keep both keeps both; `lockbook conflicts resolve` without --keep opens it in "
                    + "the editor"
            )
        case .nothingToUndo(let command?):
            self.init(
                .notFound,
                "no command \(command) is remembered",
                hint: "`lockbook undo --list` shows those that are"
            )
        case .nothingToUndo(nil):
            self.init(.notFound, "there is nothing to take back")
        case .tooLargeToUndo(let limit):
            self.init(
                .conflict,
                "the command cannot be taken back: it changed more than \(limit) files",
                hint: "nothing was changed; `lockbook trash` has what was deleted, "
                    + "`lockbook history` what was replaced"
            )
        case .cannotUndo(let reason):
            self.init(
                .conflict,
                "the command cannot be taken back: \(reason)",
                hint: "nothing was changed; `lockbook undo --list` shows other commands"
            )
        case .ambiguous(let path, let matches) where !path.hasPrefix("id:"):
            self.init(
                .badInput,
                "\(matches.count) files were at \(path)",
                hint: "say which one: " + matches.prefix(4).joined(separator: ", ")
                    + "; `lockbook trash list -l` shows their times"
            )
        case .ambiguous(let prefix, let matches):
            self.init(
                .badInput,
                "several ids begin with \(prefix)",
                hint: "type more of it, or its path: " + matches.prefix(4).joined(separator: ", ")
            )
        case .exists(let path):
            self.init(.exists, "there is something at \(path) already")
        case .changedHere(let path):
            self.init(.conflict, "\(path) was changed in the lockbook")
        case .ofAnotherOwner(let path):
            self.init(.conflict, "what goes to \(path) belongs to what another owner had there")
        case .undecidedHere(let path, let isListed):
            self.init(
                .conflict,
                "\(path) has an undecided conflict",
                hint: isListed
                    ? "`lockbook conflicts` lists it" : "its markers stand in the text"
            )
        case .unknownHere(let path):
            self.init(.conflict, "no import is known to have made \(path)")
        case .notAFolder(let path):
            self.init(.badInput, "\(path) is not a folder")
        case .notADocument(let path):
            self.init(.badInput, "\(path) is a folder, not a document")
        case .notText(let path):
            self.init(.badInput, "\(path) is no text, so it has no lines to add one to")
        case .notUTF8(let path):
            self.init(
                .badInput,
                "\(path) is no text in UTF-8; no note begins with it",
                hint: "`iconv` turns it into UTF-8"
            )
        case .slashAtEnd(let path):
            self.init(
                .badInput,
                "a slash ends \(path), so it is no document's path",
                hint: "`lockbook new \(commandWord(path))` makes a folder"
            )
        case .badName(let name, let reason):
            self.init(.badInput, "\(quoted(name)) cannot be a name: \(reason)")
        case .badPath(let path, let reason):
            self.init(.badInput, "\(quoted(path)) cannot be a path: \(reason)")
        case .badQuery(let query, let reason):
            self.init(.badInput, "cannot search for \(quoted(query)): \(reason)")
        case .tooCostly(let query, let path):
            self.init(
                .badInput,
                "cannot search for \(quoted(query)): it takes too many steps in \(path) and others; "
                    + "a repeat inside of a repeat, as in (a+)+, does that"
            )
        case .root:
            self.init(
                .badInput,
                "the root cannot be renamed, moved, copied, replaced or deleted"
            )
        case .intoItself(let path):
            self.init(.badInput, "\(path) cannot go into itself")
        default:
            self.init(.failed, Self.unexpected(error))
        }
    }

    private static func isOfPatterns(_ character: Character) -> Bool { "*?[".contains(character) }

    /// That the path was taken for a name, and what finds more by the longest part of its last step.
    private static func unexpanded(_ path: String) -> String {
        let sign = path.first(where: isOfPatterns).map(String.init) ?? ""
        let name = path.split(separator: "/").last ?? ""
        let parts = name.split { isOfPatterns($0) || $0 == "]" }
        let longest = parts.max { $0.count < $1.count }.map(String.init) ?? ""
        // What looks like an option would be taken for one.
        let letters = longest.isEmpty || longest.hasPrefix("-") ? "LETTERS" : commandWord(longest)
        return "lockbook does not expand \(quoted(sign)); "
            + "`lockbook find \(letters)` finds by parts of names"
    }

    /// How an id is said, where a word that looks like one names no path: JSON has them bare.
    private static func idHint(_ word: String) -> String {
        guard word.utf8.count >= 8, word.allSatisfy({ $0.isASCII && $0.isHexDigit }) else {
            return ""
        }
        return "an id is written id:\(word); "
    }
}
