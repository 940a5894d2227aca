extension Failure {
    /// What goes wrong in the program itself.
    init(command error: CommandError) {
        switch error {
        case .noArguments:
            self.init(
                .store,
                "the arguments of this command cannot be read: /proc is not there"
            )
        case .notUTF8(let argument):
            self.init(.badInput, "argument \(argument) is not UTF-8")
        case .lineNotUTF8(let number):
            self.init(.badInput, (number.map { "line \($0)" } ?? "the line") + " is not UTF-8")
        case .notUTF8Folder(let variable):
            self.init(
                .badInput,
                "\(variable) is not UTF-8",
                hint: "set it to a folder whose name is"
            )
        case .emptyArgument(let name):
            self.init(.badInput, "\(name) is empty")
        case .zeroByte:
            self.init(.badInput, "the line has a zero byte, which no command takes")
        case .generatedCompletions:
            self.init(
                .usage,
                "these completions run code that stands in names",
                hint: "`lockbook completions bash`, `zsh` or `fish` prints ours"
            )
        case .unknownShell(let shell):
            self.init(
                .usage,
                "no completions for \(quoted(shell))",
                hint: "one of bash, zsh and fish"
            )
        case .notAtServer(let server):
            self.init(
                .refused,
                "\(server) has no account with this key",
                hint: "nothing was changed here; move the server's data directory there first, or "
                    + "take the address as it is with --force"
            )
        case .noHome:
            self.init(
                .usage,
                "there is no home directory: HOME is not set",
                hint: "set it; or LOCKBOOK_PATH to the folder of the account, and XDG_CONFIG_HOME "
                    + "to where the configuration is"
            )
        case .badSetting(let file, let line, let reason, let hint):
            self.init(.badInput, "\(file), line \(line): \(reason)", hint: hint)
        case .unreadableSettings(let file, let reason):
            self.init(.badInput, "cannot read \(file): \(reason)")
        case .unknownProfile(let name, let file, let near):
            self.init(
                .notFound,
                "no profile \(quoted(name)) in \(file)",
                hint: near.map { "did you mean \($0)?" }
                    ?? "`man 5 lockbook-config` tells how to make one"
            )
        case .unknownSetting(let name, let near):
            self.init(
                .notFound,
                "there is no setting \(quoted(name))",
                hint: near.map { "did you mean \($0)?" } ?? "`lockbook config list` shows all"
            )
        case .notImported(let reason, let isServerNamed):
            let next =
                isServerNamed
                ? "do this again when it answers"
                : "none was named: `lockbook account import --server URL` names yours"
            self.init(
                .offline,
                reason,
                hint: "only the server can tell whose key it is: no account was made here; \(next)"
            )
        case .missingLibrary(let name, let purpose, let package):
            self.init(
                .store,
                "the library that \(purpose), \(name), is not on this machine",
                hint: "install it; on Debian it is in \(package)"
            )
        case .tooNarrow(let columns, let needed):
            self.init(
                .failed,
                "the terminal has \(columns) columns, and this needs \(needed)",
                hint: "make it wider, or its letters smaller"
            )
        case .declined(let what):
            self.init(.failed, what)
        case .unforced(let what, let otherwise):
            self.init(
                .guarded,
                "nobody is there to ask whether to \(what)",
                hint: "\(otherwise); a script says so with --force"
            )
        case .cutOffEditing(let count):
            self.init(
                .guarded,
                count == 1
                    ? "the text of an editing that was cut off would be lost"
                    : "the texts of \(count) editings that were cut off would be lost",
                hint: "`lockbook edit --rescue` stores it; or give it up with `--force`"
            )
        case .openEditing:
            self.init(
                .guarded,
                "a text is open in an editor; what is written there would be lost",
                hint: "close it first; or give it up with `--force`"
            )
        case .unacceptedRollback:
            self.init(
                .guarded,
                "nobody is there to ask whether to follow the server back to an earlier state",
                hint: "nothing was changed; a script says so with --force"
            )
        case .noDocument:
            self.init(.notFound, "there is no document yet")
        case .nothingToJot:
            self.init(.badInput, "there is nothing to write down")
        case .noPlaceToSearch(let place, let words):
            self.init(
                .notFound,
                "no file at \(place)",
                hint: "the first word is what to search for, the others are where; for a line with "
                    + "all of them as they stand: `lockbook search \(commandWord(words))`"
            )
        case .inputNoText:
            self.init(
                .badInput,
                "standard input is no text in UTF-8; nothing was stored",
                hint: "`iconv` turns it into UTF-8; `lockbook write` takes any bytes"
            )
        case .inputWithZeros:
            self.init(
                .badInput,
                "standard input has a zero byte, so it is no text; nothing was stored",
                hint: "`lockbook write` takes any bytes"
            )
        case .noDate:
            self.init(.failed, "the clock of this device shows no date")
        case .output(let reason):
            self.init(.store, "cannot write to standard output: \(reason)")
        case .unshown(let reason, let hint):
            self.init(
                .store,
                "it is done, but standard output cannot be written: \(reason)",
                hint: hint
            )
        case .input(let reason):
            self.init(.store, "cannot read standard input: \(reason)")
        case .privateFolder(let reason):
            self.init(.store, "no private place for the text: \(reason)")
        case .editor, .editorLeftNothing, .editorLeftMore, .editorLeft, .editorGoesOn,
            .accountRemoved, .notStored, .conflicts, .savedBeside, .keptOwn:
            self.init(editing: error)
        case .undecided(let path):
            self.init(
                .usage,
                "\(path) cannot be decided in an editor",
                hint: "say which side stays: --keep local, remote or both"
            )
        case .stillInConflict(let path):
            self.init(.conflict, "both versions are still in \(path), between markers")
        case .placesLeft(let path, let places):
            self.init(
                .conflict,
                "both versions are still in \(count(places, "place")) of \(path), where neither is "
                    + "known as the local one",
                hint: "--keep both keeps both; `lockbook conflicts resolve` without --keep opens "
                    + "it in the editor"
            )
        case .partial(let left, let isDryRun, let hint):
            self.init(
                .partial,
                count(left, "thing")
                    + (isDryRun ? " would be left out" : " left out, the rest is done"),
                hint: hint
            )
        case .unremembered:
            self.init(.partial, "all was exported, and could not be remembered")
        case .unsound(let sentences):
            self.init(
                .damaged,
                sentences == 1
                    ? "1 thing in this lockbook is not as it must be"
                    : "\(count(sentences, "thing")) in this lockbook are not as they must be"
            )
        case .told(let status):
            self.init(status, nil)
        }
    }
}
