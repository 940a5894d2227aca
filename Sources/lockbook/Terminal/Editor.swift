import Glibc

/// The user's editor: a command line, run as git runs it.
struct Editor {
    let command: String
    /// Whether nobody said which.
    private let isDefault: Bool

    /// Commands of the shell itself that may stand in front of an editor.
    static let builtins = ["exec", "command"]

    init(_ option: String?) {
        let setting = try? Settings.current()[.editor]
        let configured = setting?.isDefault == true ? nil : setting?.value
        let chosen = [option, configured, Environment["VISUAL"], Environment["EDITOR"]]
            .compactMap(\.self)
            // Without a command the shell would take the text for one.
            .first { $0.contains { !$0.isWhitespace } }
        command = chosen ?? "vi"
        isDefault = chosen == nil
    }

    /// Refuses the editor that nobody chose where it would wait for keys that nobody can press.
    func requireTerminal() throws {
        guard !isDefault || Terminal.inputIsTerminal && Terminal.outputIsTerminal else {
            throw UsageError(
                message: "there is no terminal to edit at",
                hint: "EDITOR names another editor; "
                    + "`lockbook write` takes a text from standard input"
            )
        }
    }

    /// Opens the text and waits; the exit status, or 128 and the signal's number.
    ///
    /// The shell sees the user's own command line; the file is an argument of it and is never read
    /// as code. Ctrl-C and Ctrl-\ are the editor's while it runs. The terminal is set afterwards as it
    /// was, also when the editor was killed.
    /// - Parameter saved: called after each save while the editor goes on.
    func open(_ draft: Draft, saved: () -> Void) throws -> Int32 {
        // A shell that waits for the editor would die of the Ctrl-C that the editor takes; where the
        // command line is words alone, and the first a program, the editor takes the shell's place.
        let isPlain = !command.contains { "|&;<>()$`\\=\n".contains($0) }
        let first = command.split(whereSeparator: \.isWhitespace).first.map(String.init) ?? ""
        let isProgram = !Self.builtins.contains(first)
        let line = (isPlain && isProgram ? "exec " : "") + command + " \"$@\""
        let arguments = ["sh", "-c", line, command] + ownOptions(for: draft) + [draft.path]

        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var restored = sigset_t()
        sigemptyset(&restored)
        sigaddset(&restored, SIGINT)
        sigaddset(&restored, SIGQUIT)
        SizeLimit.restore(in: &restored)
        StandardStreams.restorePipe(in: &restored)
        posix_spawnattr_setsigdefault(&attributes, &restored)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))

        let interrupt = signal(SIGINT, SIG_IGN)
        let quit = signal(SIGQUIT, SIG_IGN)
        defer {
            signal(SIGINT, interrupt)
            signal(SIGQUIT, quit)
        }

        var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) }
        words.append(nil)
        defer {
            for word in words {
                free(word)
            }
        }
        let watch = SaveWatch(on: draft.folder)
        let terminal = TerminalState()
        defer { terminal?.restore() }
        var process: pid_t = 0
        let problem = posix_spawn(&process, "/bin/sh", nil, &attributes, words, environ)
        guard problem == 0 else {
            throw CommandError.privateFolder(reason: "/bin/sh: " + Terminal.reason(problem))
        }
        watch?.call(saved, until: process)
        var status: Int32 = 0
        while waitpid(process, &status, 0) == -1 {
            guard errno == EINTR else { return 127 }
        }
        let signalNumber = status & 0x7f
        return signalNumber == 0 ? (status >> 8) & 0xff : 128 + signalNumber
    }
}
