import ArgumentParser
import LockbookEngine

/// How commands show files that they found in documents.
struct FoundFiles: ParsableArguments {
    @Flag(help: "Show everything as JSON.")
    var json = false

    @Flag(name: [.customShort("0"), .customLong("null")], help: "End each path with NUL.")
    var null = false

    func validate() throws {
        guard !(json && null) else { throw ValidationError("--json and --null exclude each other") }
    }

    /// Shows them, and names what could not be read.
    func show(_ findings: NoteFindings<FileInfo>) throws {
        if json {
            try Terminal.show(json: findings.found)
        } else {
            try Terminal.show(lines: findings.found.map(\.path), endingIn: null ? "\0" : "\n")
        }
        try Self.tell(findings.unread)
    }

    /// - Throws: `.partial` when there are any.
    static func tell(_ unread: [(path: String, reason: LockbookError)]) throws {
        for failure in unread {
            Terminal.warn(Failure(failure.reason).message ?? failure.path)
        }
        if !unread.isEmpty { throw CommandError.partial(count: unread.count) }
    }
}
