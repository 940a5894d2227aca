import Glibc

/// Shows what is longer than the screen page by page.
enum Pager {
    /// Writes the lines to standard output, or through the user's pager on a terminal.
    static func show(_ lines: [[UInt8]]) throws {
        let bytes = lines.flatMap { $0 }
        guard Terminal.outputIsTerminal, Terminal.inputIsTerminal, lines.count > height(),
            let command = command()
        else { return try Terminal.write(bytes) }
        try page(bytes, through: command)
    }

    private static func height() -> Int {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_row > 1 else {
            return 24
        }
        return Int(size.ws_row) - 1
    }

    /// A command line, run as git runs its own; `cat` means none.
    private static func command() -> String? {
        let chosen = [Environment["LOCKBOOK_PAGER"], Environment["PAGER"]].compactMap(\.self)
            // Of blanks alone the shell would make no command, and show nothing.
            .first { !$0.allSatisfy(\.isWhitespace) }
        return chosen == "cat" ? nil : chosen ?? "less"
    }

    private static func page(_ bytes: [UInt8], through command: String) throws {
        // What less should do unless its user said otherwise: colours, and nothing left in a file.
        if Environment["LESS"] == nil { setenv("LESS", "FRX", 1) }
        setenv("LESSHISTFILE", "-", 0)
        let interrupt = signal(SIGINT, SIG_IGN)
        defer { signal(SIGINT, interrupt) }
        let started = SizeLimit.restored { StandardStreams.restoringPipe { popen(command, "w") } }
        guard let pipe = started else { return try Terminal.write(bytes) }
        // A reader that ends early is no failure; programs that the pager is made of end by that.
        let old = signal(SIGPIPE, SIG_IGN)
        defer { signal(SIGPIPE, old) }
        _ = bytes.withUnsafeBytes { fwrite($0.baseAddress, 1, $0.count, pipe) }
        // The shell says 127 when there is no such program, and 126 when it may not be run.
        guard [126, 127].contains(pclose(pipe) >> 8) else { return }
        try Terminal.write(bytes)
    }
}
