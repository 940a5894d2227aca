import ArgumentParser
import LockbookEngine

struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List files",
        discussion: """
            On a terminal folders end in /. Into a pipe goes one bare path per line. With --long: \
            the beginning of the id, the type, the size in bytes, the time, and marks: * has \
            changes that were not synced, ~ has its content on the server only, ! is damaged, + is \
            shared by you.

              $ lockbook list -r --documents -0 /plans | xargs -0 lockbook cat
            """,
        aliases: ["ls"]
    )

    @Argument(help: "The folders or documents (default: /).")
    var targets: [String] = []

    @Flag(name: .shortAndLong, help: "Show ids, types, sizes, times and marks.")
    var long = false

    @Flag(name: .shortAndLong, help: "List what is in the folders below, too.")
    var recursive = false

    @Flag(name: [.customShort("t"), .customLong("time")], help: "Show the newest first.")
    var time = false

    @Flag(name: .shortAndLong, help: "Show names that begin with a dot, as is always done.")
    var all = false

    @Flag(help: "List documents only, and no folders.")
    var documents = false

    @OptionGroup var output: PathOutput

    func validate() throws {
        guard !long || !(output.json || output.null) else {
            throw ValidationError("--long does not go with --json or --null")
        }
    }

    func run() throws {
        let lockbook = try Lockbook.open()
        var files: [FileInfo] = []
        var failure: (any Error)?
        var unread: [(path: String, reason: LockbookError)] = []
        do {
            try forEach(targets.isEmpty ? ["/"] : targets) {
                files += try lockbook.list(
                    FileReference($0),
                    recursive: recursive,
                    marks: long || output.json
                ) { unread.append($0) }
            }
        } catch {
            // What was found is shown all the same, as `ls` does, and what cannot be read is named.
            failure = error
        }
        if documents {
            files = try lockbook.documents(among: files) { link in
                // A listing of all below has named it.
                if !recursive { unread.append(link) }
            }
        }
        if time {
            files.sort { ($1.modified, $0.path) < ($0.modified, $1.path) }
        }
        if failure == nil || !files.isEmpty { try show(files) }
        do { try PathOutput.tell(unread) } catch { throw failure ?? error }
        if let failure { throw failure }
    }

    private func show(_ files: [FileInfo]) throws {
        guard !long else {
            return try Terminal.show(lines: FileTable(files, showsPaths: showsPaths).lines)
        }
        let isForPerson = Terminal.outputIsTerminal
        try output.show(files, path: \.path) { file in
            guard isForPerson else { return file.path }
            return (showsPaths ? file.path : file.name) + file.endingSlash
        }
    }

    /// A name alone says where a file is only when one folder was asked for.
    private var showsPaths: Bool {
        recursive || targets.count > 1 || !Terminal.outputIsTerminal
    }
}
