import ArgumentParser
import LockbookEngine

struct Find: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "find",
        abstract: "Find files by some letters of their paths",
        discussion: """
            Shows the paths that hold the pattern's letters in their order, the best first: the \
            beginnings of names and words count more, and letters that stand together. Several \
            words must all fit. A small letter stands for its capital too, and one without accents \
            for those with them: `cafe` finds Café; a capital and a letter with an accent stand \
            for themselves alone. The status is 1 when nothing fits.

              $ lockbook edit "$(lockbook find --documents plboat | head -n 1)"
            """
    )

    @Argument(help: "Some letters of the path.")
    var pattern: [String]

    @Flag(help: "Find documents only, and no folders.")
    var documents = false

    @OptionGroup var output: PathOutput

    func run() throws {
        let lockbook = try Lockbook.open()
        let wanted = FuzzyPattern(pattern.joined(separator: " "))
        var isFound = false
        try PathOutput.namingUnread { unread -> [FileInfo] in
            let files = try lockbook.find(wanted, marks: output.json, unread: unread)
            return documents ? try lockbook.documents(among: files) : files
        } show: { files in
            isFound = !files.isEmpty
            try output.show(files, path: \.path) { file in
                file.path + (Terminal.outputIsTerminal ? file.endingSlash : "")
            }
        }
        if !isFound { throw CommandError.told(.failed) }
    }
}
