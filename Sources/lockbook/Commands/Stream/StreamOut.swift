import ArgumentParser
import LockbookEngine

struct StreamOut: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "out",
        abstract: "Print documents to standard output",
        discussion: """
            One after the other, exactly their bytes; at a terminal, controls that it would act \
            on are shown as \\u001b. Without a document, on a terminal, one is chosen as `edit` \
            does it.
            """
    )

    @OptionGroup var output: StreamOutput

    func run() throws { try output.run() }
}

/// `lockbook cat`, the short form.
struct Cat: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cat",
        abstract: "Print documents to standard output (stream out)"
    )

    @OptionGroup var output: StreamOutput

    func run() throws { try output.run() }
}

/// What `stream out` and `cat` share.
struct StreamOutput: ParsableArguments {
    @Argument(help: "The documents.")
    var targets: [String] = []

    @Option(help: ArgumentHelp("One of the versions of a document.", valueName: "version"))
    var version: String?

    func validate() throws {
        guard !targets.isEmpty || (version == nil && Picker.isPossible) else {
            throw ValidationError("Missing expected argument '<targets> ...'")
        }
        guard version == nil || targets.count == 1 else {
            throw ValidationError("--version goes with one document")
        }
    }

    func run() throws {
        let lockbook = try Lockbook.open()
        lockbook.askUntilOffline()
        if let version, let target = targets.first {
            return try show(from: lockbook) {
                try await lockbook.read(FileReference(target), version: version, into: $0)
            }
        }
        let chosen = try targets.isEmpty ? [Picker.document(in: lockbook)] : []
        try forEach(targets.map(FileReference.init) + chosen) { reference in
            try show(from: lockbook) { try await lockbook.read(reference, into: $0) }
        }
    }

    private func show(
        from lockbook: Lockbook,
        _ read: @escaping @Sendable (_ sink: ([UInt8]) throws -> Void) async throws -> Void
    ) throws {
        let line = ProgressLine(waitingFor: { lockbook.awaited })
        defer { line.clear() }
        try waiting(line) {
            var shown = Terminal.outputIsTerminal ? ShownBytes() : nil
            try await read {
                // From here on whoever takes it may be what is waited for.
                line.clear()
                try Terminal.write(shown?.take($0) ?? $0)
            }
            if let rest = shown?.end(), !rest.isEmpty { try Terminal.write(rest) }
        }
    }
}
