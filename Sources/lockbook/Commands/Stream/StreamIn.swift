import ArgumentParser
import LockbookEngine

struct StreamIn: ParsableCommand, FollowedBySync {
    static let configuration = CommandConfiguration(
        commandName: "in",
        abstract: "Store standard input in a document",
        discussion: """
            The document is made if there is none, and holds exactly the bytes that came. It \
            changes when the last byte is here; until then it is the old one.
            """
    )

    @OptionGroup var input: StreamInput

    func run() throws { try input.run() }
}

/// `lockbook write`, the short form.
struct Write: ParsableCommand, FollowedBySync {
    static let configuration = CommandConfiguration(
        commandName: "write",
        abstract: "Store standard input in a document (stream in)"
    )

    @OptionGroup var input: StreamInput

    func run() throws { try input.run() }
}

/// What `stream in` and `write` share.
struct StreamInput: ParsableArguments {
    @Argument(help: "The document.")
    var target: String

    @Flag(name: .shortAndLong, help: "Add to the end of what is there.")
    var append = false

    func run() throws {
        let lockbook = try Lockbook.open()
        let reference = FileReference(target)
        func fetch() throws {
            try asking(lockbook.awaited) { try await lockbook.fetch(reference) }
        }
        if append { try fetch() }
        if Terminal.inputIsTerminal {
            Terminal.notice("reading from the terminal; Ctrl-D on an empty line ends it")
        }
        try lockbook.write(reference, append: append, fetching: fetch) {
            try StandardInput.read()
        }
    }
}
