import ArgumentParser
import LockbookEngine

struct Tree: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tree",
        abstract: "Draw folders with everything in them",
        discussion: "For programs there is `lockbook list -r`."
    )

    @Argument(help: "The folder (default: /).")
    var target: String?

    @Flag(name: [.customShort("d"), .customLong("folders")], help: "Draw folders only.")
    var folders = false

    @Option(
        name: [.customShort("L", allowingJoined: true), .customLong("level")],
        // One below nothing is told as nothing is, and is no option.
        parsing: .unconditional,
        help: ArgumentHelp("Draw only so many levels.", valueName: "levels")
    )
    var level: Int?

    func validate() throws {
        guard level ?? 1 > 0 else { throw ValidationError("the number of levels is at least 1") }
    }

    func run() throws {
        let lockbook = try Lockbook.open()
        let reference = FileReference(target ?? "/")
        let top = try lockbook.info(reference)
        try PathOutput.namingUnread { unread -> [FileInfo] in
            guard top.type != .document else { return [] }
            return try lockbook.list(reference, recursive: true, marks: false, unread: unread)
                .filter { $0.path != top.path }
        } show: { files in
            try Terminal.show(lines: drawing(of: files, below: top).lines)
        }
    }

    private func drawing(of files: [FileInfo], below top: FileInfo) -> TreeDrawing {
        // A link to a folder is one; a link to a document has nothing below it.
        let around = folders ? Set(files.map { Self.folder(of: $0.path) }) : []
        return TreeDrawing(
            of: files.filter {
                !folders || $0.type == .folder || $0.type == .link && around.contains($0.path)
            },
            below: top,
            levels: level ?? .max
        )
    }

    private static func folder(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
    }
}
