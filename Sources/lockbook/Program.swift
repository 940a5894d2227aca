import ArgumentParser
import Glibc
import LockbookEngine
import LockbookProcess

/// The program: reads the words, runs the command they name, and turns what fails into a status.
///
/// Everything here is synchronous; a command that needs the network waits for it with `waiting`.
/// So the program starts in a few milliseconds and there is one thread to reason about.
@main
enum Program {
    /// Files and folders are made for this user: no mask takes that away.
    private static func keepOwnRights() {
        let mask = umask(0o077)
        umask(mask & 0o077)
    }

    /// Whoever started the program may have ignored how children end: then nobody could tell.
    private static func hearOfChildren() {
        signal(SIGCHLD, SIG_DFL)
    }

    static func main() {
        EndingSignals.quitWithoutBacktrace()
        let given: ProcessArguments
        var arguments: [String]
        do {
            given = try required(ProcessArguments())
            arguments = try HandedWords.taken(from: Array(given.words.dropFirst()))
            try Environment.requirePlaces("LOCKBOOK_PATH", "XDG_DATA_HOME", "XDG_CONFIG_HOME")
        } catch {
            end(after: error)
        }
        StandardStreams.prepare()
        SizeLimit.becomesAnError()
        EndingSignals.reachFirstProcess()
        hearOfChildren()
        keepOwnRights()
        if arguments.first == "__complete" {
            // Before the parser builds its tree of commands: a shell is waiting for a key press.
            var request = CompletionRequest(Array(arguments.dropFirst()))
            request?.answer().print()
            // Without closing the store, for which nobody would want to wait.
            withExtendedLifetime(request) { exit(Status.done.rawValue) }
        }
        if arguments == [BackgroundSync.word] {
            BackgroundSync.run()
        }
        do {
            let count = arguments.count
            arguments = try Profile.taken(from: arguments)
            // Scripts ask for it: not worth building the parser's tree of commands.
            if arguments == ["--version"] {
                try Terminal.show(lines: [LockbookCommand.configuration.version])
            } else {
                try refuseWhatCannotBeRead(
                    arguments,
                    behind: count - arguments.count,
                    notUTF8: given.notUTF8
                )
                try run(arguments)
                tellOfAbandonedDrafts(after: arguments)
            }
            try Terminal.flush()
            exit(Status.done.rawValue)
        } catch {
            end(after: error)
        }
    }

    private static func end(after error: any Error) -> Never {
        let failure = Failure(ofCommand: error)
        Terminal.tell(failure)
        exit(failure.status.rawValue)
    }

    /// Refuses to run as if nothing was asked where there is no `/proc`, from which the arguments are.
    static func required(_ given: ProcessArguments?) throws -> ProcessArguments {
        guard let given else { throw CommandError.noArguments }
        return given
    }

    /// Tells what is left of editings that were cut off, to whoever sits at a terminal or asks for the status.
    private static func tellOfAbandonedDrafts(after arguments: [String]) {
        guard Terminal.errorIsTerminal || arguments.first == "status",
            let directory = try? DataDirectory.path()
        else { return }
        // Several texts may be left of one note.
        var told: [(path: String, advice: String, count: Int)] = []
        for draft in Draft.toldAbandoned(of: directory) {
            guard let session = try? draft.session() else { continue }
            let (path, advice) = (session.path, draft.advice(session))
            if let same = told.firstIndex(where: { $0.path == path && $0.advice == advice }) {
                told[same].count += 1
            } else {
                told.append((path, advice, 1))
            }
        }
        for (path, advice, count) in told {
            let what =
                count == 1 ? "an editing of \(path) was" : "\(count) editings of \(path) were"
            Terminal.notice("\(what) cut off: \(advice)")
        }
    }

    private static func run(_ arguments: [String]) throws {
        // The parser would answer `help` with a word it does not know by its own help; itself it knows.
        let words = arguments.drop { $0 == "help" }
        if let unknown = UsageError(unknownCommandIn: Array(words)) {
            throw unknown
        }
        if arguments.first == "help", let extra = UsageError(extraWordBehind: Array(words)) {
            throw extra
        }
        var command: any ParsableCommand
        do {
            command = try LockbookCommand.parsed(arguments)
        } catch {
            HelpWidth.makeRoom()
            guard LockbookCommand.exitCode(for: error) != .success else {
                // The parser's own answers, `--help` and `--version`.
                try refuseVersionOfDocument(arguments, LockbookCommand.fullMessage(for: error))
                return try Terminal.show(lines: [LockbookCommand.fullMessage(for: error)])
            }
            throw UsageError(arguments, LockbookCommand.message(for: error))
        }
        // The parser would show the help of such a command, as if that was asked for.
        if !type(of: command).subcommands.isEmpty,
            let missing = UsageError(missingCommandIn: arguments)
        {
            throw missing
        }
        // Also when it failed: some of it may be done.
        defer {
            if command is any FollowedBySync { BackgroundSync.start() }
        }
        do {
            try command.run()
        } catch {
            HelpWidth.makeRoom()
            // The parser's `help` command answers by throwing.
            guard LockbookCommand.exitCode(for: error) != .success else {
                return try Terminal.show(lines: [LockbookCommand.fullMessage(for: error)])
            }
            throw error
        }
    }

    /// Where a command has a `--version` of its own and the rest of the line makes no sense, the
    /// parser would answer as if the program's version was asked for.
    private static func refuseVersionOfDocument(_ arguments: [String], _ answer: String) throws {
        guard answer == LockbookCommand.configuration.version else { return }
        let shape = CommandShape.named(by: arguments)
        let isDocuments =
            shape.names != CommandShape.root.names
            && shape.options.contains { $0.names == ["--version"] }
        guard isDocuments else { return }
        throw UsageError(arguments, "--version takes a version, and goes with one document")
    }

    /// Refuses what cannot be meant.
    ///
    /// That is arguments that are not UTF-8, which Swift would have changed without a word, empty
    /// ones, and the parser's own completion scripts, which run code that stands in names.
    /// - Parameter count: the words of the command line in front of these.
    private static func refuseWhatCannotBeRead(
        _ arguments: [String],
        behind count: Int,
        notUTF8: Int?
    ) throws {
        if let notUTF8 {
            throw CommandError.notUTF8(argument: notUTF8)
        }
        // The variable of a script that was never set; `rm ""` must not mean the root.
        if let empty = arguments.firstIndex(of: "") {
            throw CommandError.emptyArgument(
                CompletionRequest.name(of: empty, in: arguments, behind: count)
            )
        }
        let options = arguments.prefix { $0 != "--" }
        // The parser would answer letters with an h among them by its help, as if nothing was asked.
        let bundle = options.first { word in
            word.hasPrefix("-") && !word.hasPrefix("--") && word.utf8.count > 2
                && word.utf8.contains(UInt8(ascii: "h")) && !word.contains("=")
        }
        if let bundle {
            throw UsageError(arguments, "Unknown option '\(bundle)'")
        }
        let generated = options.contains {
            $0.hasPrefix("---completion") || $0.hasPrefix("--generate-completion-script")
        }
        if generated {
            throw CommandError.generatedCompletions
        }
    }
}
