import ArgumentParser
import LockbookAPI

@main
struct LockbookServerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lockbook-server",
        abstract: "The server that Lockbook's devices synchronise through; it can read nothing.",
        version: "lockbook-server 0.1.0 (protocol \(Wire.version))",
        subcommands: [Serve.self]
    )
}
