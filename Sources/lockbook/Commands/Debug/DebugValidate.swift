import ArgumentParser
import LockbookEngine

struct DebugValidate: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "validate",
        abstract: "Check that all is as it must be",
        discussion: """
            Prints a sentence for each thing that is not, and ends with status 11. --repair fetches \
            contents that are damaged or missing here from the server before.
            """
    )

    @Flag(help: "Fetch what is damaged or missing from the server.")
    var repair = false

    @Flag(help: "Show what was found as JSON.")
    var json = false

    private struct Found: Encodable {
        var problems: [String]
    }

    func run() throws {
        let lockbook = try Lockbook.open()
        if repair {
            let mended = try asking(lockbook.awaited) { try await lockbook.repairContents() }
            for path in mended {
                Terminal.warn("the content of \(path) was damaged here and is fetched again")
            }
        }
        let sentences = try lockbook.validate()
        if json {
            try Terminal.show(json: Found(problems: sentences))
        } else {
            try Terminal.show(lines: sentences)
        }
        if !sentences.isEmpty {
            throw CommandError.unsound(count: sentences.count)
        }
    }
}
