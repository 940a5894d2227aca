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
            return ["-backup", "false", "-savecursor", "false", "-saveundo", "false"]
        case "nano", "rnano":
            // It has no option for none: those that the user's settings ask for go with the folder.
            return ["--backupdir=" + draft.folder]
        default:
            return nil
        }
    }

    /// The editor and its arguments, without what stands in front of them for their environment.
    private var words: [String] {
        let all = ShellLine(Array(command.utf8)).words.map(\.text)
        return Array(all.drop { Self.name(of: $0) == "env" || Self.isAssignment($0) })
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
        let places = program.contains("/") ? [""] : searchPath()
        let real = places.lazy.compactMap { realpath($0 + program, nil) }.first
        defer { free(real) }
        return real.map { String(cString: $0) }
    }

    private func searchPath() -> [String] {
        (Environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":").map { $0 + "/" }
    }
}
