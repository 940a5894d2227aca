import ArgumentParser
import LockbookEngine

struct Links: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "links",
        abstract: "List what a document links to",
        discussion: """
            Links are [[name]], [[folder/name|text]], [text](path) and [text][label]. A path is \
            looked for in the folder of the document, that of a wiki link then in each folder \
            above, and its name anywhere, the nearest first; .md may be left out. Each file is \
            shown once, in the order of the links; a link that leads nowhere is named on standard \
            error.
            """
    )

    @Argument(help: "The document.")
    var target: String

    @Flag(help: "Show every link as JSON, also those that lead nowhere.")
    var json = false

    @Flag(name: [.customShort("0"), .customLong("null")], help: "End each path with NUL.")
    var null = false

    func validate() throws {
        guard !(json && null) else { throw ValidationError("--json and --null exclude each other") }
    }

    func run() throws {
        let lockbook = try Lockbook.open()
        let target = target
        try asking(lockbook.awaited) {
            try await lockbook.fetch(FileReference(target), toRead: true)
        }
        let links = try lockbook.links(of: FileReference(target))
        guard !json else { return try Terminal.show(json: links) }
        var shown: Set<String> = []
        let paths = links.compactMap(\.path).filter { shown.insert($0).inserted }
        try Terminal.show(lines: paths, endingIn: null ? "\0" : "\n")
        for link in links where link.path == nil {
            Terminal.warn("line \(link.line): there is no \(quoted(link.target))")
        }
    }
}

struct Backlinks: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backlinks",
        abstract: "List the documents that link to a file",
        discussion: "What a link is and where it leads is what `links` says."
    )

    @Argument(help: "The document or folder.")
    var target: String

    @OptionGroup var output: PathOutput

    func run() throws {
        try output.show(Lockbook.open().backlinks(to: FileReference(target)))
    }
}
