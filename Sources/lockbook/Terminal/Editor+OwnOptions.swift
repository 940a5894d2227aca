import Glibc

extension Editor {
    /// What an editor has to be told for a text that is private and waited for.
    ///
    /// It is known by the name in its command line, or by that of the file which this leads to:
    /// `vi`, `view` and `editor` are whatever the machine has.
    func ownOptions(for draft: Draft) -> [String] {
        guard let program = words.first else { return [] }
        let paths = [program, realPath(of: program)].compactMap(\.self)
        return paths.lazy.compactMap { ownOptions(of: Self.name(of: $0), for: draft) }.first ?? []
    }

    /// Nil for an editor that is not known.
    ///
    /// Vim: no backup and undo files, no registers in its info file, and no modelines, which
    /// somebody else may have written; the user's own settings are read later, so it is said again
    /// whenever a file is read or written. Its swap file stands beside the text, in the private folder:
    /// what was typed when the terminal went is nowhere else. Others: no copies in places of their own, and
    /// no return before the window is closed. What else they leave is beside the file, and goes with the folder.
    private func ownOptions(of name: String, for draft: Draft) -> [String]? {
        switch name {
        case _ where name.hasSuffix("vim"):
            let silence = "set nobackup nowritebackup noundofile nomodeline"
            let commands = [
                silence, "augroup lockbook",
                "autocmd BufReadPre,BufNewFile,BufWritePre * " + silence, "augroup END",
            ]
            // None before the user's settings were read: they may say where such files go.
            let swaps = ["-c", "set directory=. updatecount=100 | setlocal swapfile"]
            return ["-n", "-i", "NONE"] + swaps + commands.flatMap { ["--cmd", $0] }
                + (opensWindow ? ["-f"] : [])
        case "code", "codium", "code-insiders", "subl", "zed":
            return words.contains { $0 == "--wait" || $0 == "-w" } ? [] : ["--wait"]
        case _ where name == "emacs" || name.hasPrefix("emacs-"):
            let silence = "(setq make-backup-files nil auto-save-default nil create-lockfiles nil)"
            return ["--eval", silence]
        case "micro":
            // Each save is in the backup's folder for a moment, also without backups.
            let off = ["-backup", "-savecursor", "-savehistory", "-saveundo"]
            return ["-backupdir", draft.folder] + off.flatMap { [$0, "false"] }
        case "nano", "rnano":
            // It has no option for none: those that the user's settings ask for go with the folder.
            return ["--backupdir=" + draft.folder]
        default:
            return nil
        }
    }

    /// The editor and its arguments, also where Debian's `sensible-editor` looks for it.
    private var words: ArraySlice<String> {
        let words = Self.programWords(of: command)
        return Self.isSensible(words) ? Self.programWords(of: Self.sensibleEditor) : words
    }

    /// A command line without what stands in front of its program: `env` and the shell's own commands,
    /// with their options, and variables.
    private static func programWords(of command: String) -> ArraySlice<String> {
        var words = ShellLine(Array(command.utf8)).words.map(\.text)[...]
        while let word = words.first, isInFront(word) {
            let takesNext = ["-u", "--unset", "-C", "--chdir"].contains(word)
            words = words.dropFirst(takesNext ? 2 : 1)
        }
        return words
    }

    private static func isInFront(_ word: String) -> Bool {
        builtins.contains(word) || name(of: word) == "env" || word.hasPrefix("-")
            || isAssignment(word)
    }

    private static func isSensible(_ words: ArraySlice<String>) -> Bool {
        words.first.map(name) == "sensible-editor"
    }

    /// What `sensible-editor` runs: what the environment names, what `select-editor` noted, or `editor`.
    private static var sensibleEditor: String {
        let named = [Environment["VISUAL"], Environment["EDITOR"], selectedEditor]
        return named.compactMap(\.self).first { !isSensible(programWords(of: $0)) } ?? "editor"
    }

    /// What `select-editor` noted, which is a line of a shell's script.
    private static var selectedEditor: String? {
        let note = try? PrivateFile.contents(of: (Environment["HOME"] ?? "") + "/.selected_editor")
        let lines = (note ?? []).split(separator: UInt8(ascii: "\n"))
        let words = lines.compactMap { ShellLine(Array($0)).words.first?.text }
        let mark = "SELECTED_EDITOR="
        return words.last { $0.hasPrefix(mark) }.map { String($0.dropFirst(mark.count)) }
    }

    /// Whether it is one of Vim's names for a window of its own, as `gvim` or `rgview`.
    private var opensWindow: Bool {
        let name = words.first.map(Self.name) ?? ""
        return name.hasPrefix("g") || name.hasPrefix("rg")
    }

    /// The name of a program without the ending that tells of its build, as in `vim.basic`.
    private static func name(of program: String) -> String {
        let name = program.split(separator: "/").last ?? ""
        return name.split(separator: ".").first.map(String.init) ?? ""
    }

    private static func isAssignment(_ word: String) -> Bool {
        let rest = word.utf8.drop { byte in
            UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte
                || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte
                || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || byte == UInt8(ascii: "_")
        }
        return rest.first == UInt8(ascii: "=")
    }

    /// The file that a program is, links followed; nil where it is not found.
    private func realPath(of program: String) -> String? {
        var path = program
        for home in ["~/", "$HOME/"] where program.hasPrefix(home) {
            path = (Environment["HOME"] ?? "") + "/" + String(program.dropFirst(home.count))
        }
        let places = path.contains("/") ? [""] : searchPath()
        let real = places.lazy.compactMap { realpath($0 + path, nil) }.first
        defer { free(real) }
        return real.map { String(cString: $0) }
    }

    private func searchPath() -> [String] {
        (Environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":").map { $0 + "/" }
    }
}
