import ArgumentParser
import LockbookEngine

struct TrashList: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Show what was deleted",
        discussion: """
            Shows where deleted files stood, one path per line; `lockbook restore` brings them back. \
            With --long: the beginning of the id, the type, the size in bytes, the time, and how \
            many files are in a folder.
            """
    )

    @Flag(name: .shortAndLong, help: "Show ids, types, sizes, times and counts.")
    var long = false

    @Flag(help: "Show everything as JSON.")
    var json = false

    @Flag(name: [.customShort("0"), .customLong("null")], help: "End each path with NUL.")
    var null = false

    func validate() throws {
        guard !(json && (long || null)), !(long && null) else {
            throw ValidationError("--json, --long and --null exclude each other")
        }
    }

    func run() throws {
        let files = try Lockbook.open().trash()
        if json {
            try Terminal.show(json: files)
        } else if null {
            try Terminal.show(lines: files.map(\.path), endingIn: "\0")
        } else if long {
            try Terminal.show(lines: FileTable(trashed: files).lines)
        } else {
            try Terminal.show(lines: files.map { $0.path + ($0.type == .folder ? "/" : "") })
        }
    }
}
