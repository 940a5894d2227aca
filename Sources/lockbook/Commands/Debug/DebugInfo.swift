import ArgumentParser
import LockbookEngine

struct DebugInfo: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "info",
        abstract: "Show everything that is known about a file"
    )

    @Argument(help: "The document or folder.")
    var target: String

    func run() throws {
        let fields = try Lockbook.open().debugInfo(FileReference(target))
        let width = fields.map(\.0.count).max() ?? 0
        try Terminal.show(
            lines: fields.map { name, value in
                name + String(repeating: " ", count: width - name.count + 2) + value
            }
        )
    }
}
