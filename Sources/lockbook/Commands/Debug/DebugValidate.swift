import ArgumentParser
import LockbookEngine

struct DebugValidate: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "validate",
        abstract: "Check that all is as it must be",
        discussion: "Prints a sentence for each thing that is not, and ends with status 11."
    )

    func run() throws {
        let sentences = try Lockbook.open().validate()
        try Terminal.show(lines: sentences)
        if !sentences.isEmpty {
            throw CommandError.unsound(count: sentences.count)
        }
    }
}
