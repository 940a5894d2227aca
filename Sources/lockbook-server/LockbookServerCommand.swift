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

    static func main() async {
        do {
            switch try parseAsRoot() {
            case var command as any AsyncParsableCommand: try await command.run()
            case var command: try command.run()
            }
        } catch  where error is ExitCode || exitCode(for: error) == .success {
            exit(withError: error)
        } catch {
            Failure(ofWords: message(for: error)).report()
            exit(withError: ExitCode(64))
        }
    }
}
