import ArgumentParser
import LockbookEngine

struct Tags: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tags",
        abstract: "List tags, or the documents that have one",
        discussion: """
            Tags are words behind #, and the tags of a note's front matter; what stands in code is \
            none. Without a tag all are listed, on a terminal with the number of their documents; \
            with one, the documents that have it or one below it, as a/b is below a. Capitals do \
            not count.

              $ lockbook tags boat
            """
    )

    @Argument(help: "The tag, with or without its #.")
    var tag: String?

    @OptionGroup var output: PathOutput

    func run() throws {
        let lockbook = try Lockbook.open()
        if let tag { return try output.show(lockbook.documents(tagged: tag)) }
        let findings = try lockbook.tags()
        if output.json {
            try Terminal.show(json: findings.found)
        } else if Terminal.outputIsTerminal, !output.null {
            let width = findings.found.map { String($0.documents).count }.max() ?? 1
            try Terminal.show(
                lines: findings.found.map { tag in
                    let count = String(tag.documents)
                    return String(repeating: " ", count: width - count.count)
                        + "\(count)  \(tag.tag)"
                }
            )
        } else {
            try Terminal.show(
                lines: findings.found.map(\.tag),
                endingIn: output.null ? "\0" : "\n"
            )
        }
        try PathOutput.tell(findings.unread)
    }
}
