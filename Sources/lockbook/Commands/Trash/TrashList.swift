import ArgumentParser
import LockbookEngine

struct TrashList: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Show what was deleted",
        discussion: """
            Shows where deleted files stood, one path per line; `lockbook restore` brings them back. \
            With --long: the beginning of the id, the type, the size in bytes, the time, and how \
            many files are in a folder. With --recursive: also what was deleted with its folder.
            """
    )

    @Flag(name: .shortAndLong, help: "Show ids, types, sizes, times and counts.")
    var long = false

    @Flag(name: .shortAndLong, help: "Show what is in deleted folders, too.")
    var recursive = false

    @OptionGroup var output: PathOutput

    func validate() throws {
        guard !long || !(output.json || output.null) else {
            throw ValidationError("--long does not go with --json or --null")
        }
    }

    func run() throws {
        try PathOutput.show(
            { try Lockbook.open().trash(isRecursive: recursive, unread: $0) },
            as: show
        )
    }

    private func show(_ files: [TrashedFile]) throws {
        if long { return try Terminal.show(lines: FileTable(trashed: files).lines) }
        let repeated = RepeatedPaths(files.map(\.path))
        try output.show(files, path: \.path) { file in
            let shown = file.path + (file.type == .folder ? "/" : "")
            return repeated.told(file.path, file.id, shown: shown)
        }
    }
}
