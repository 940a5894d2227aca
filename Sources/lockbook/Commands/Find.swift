import ArgumentParser
import LockbookEngine

struct Find: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "find",
        abstract: "Find files by some letters of their paths",
        discussion: """
            Shows the paths that hold the pattern's letters in their order, the best first: the \
            beginnings of names and words count more, and letters that stand together. Several \
            words must all fit. A capital stands for itself alone. The status is 1 when nothing \
            fits.

              $ lockbook edit "$(lockbook find plboat | head -n 1)"
            """
    )

    @Argument(help: "Some letters of the path.")
    var pattern: [String]

    @OptionGroup var output: PathOutput

    func run() throws {
        let lockbook = try Lockbook.open()
        let files = try lockbook.find(FuzzyPattern(pattern.joined(separator: " ")))
        try output.show(files, path: \.path) { file in
            file.path + (Terminal.outputIsTerminal ? file.endingSlash : "")
        }
        if files.isEmpty { throw CommandError.told(.failed) }
    }
}
