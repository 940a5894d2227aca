import ArgumentParser
import LockbookAPI

@main
struct LockbookServerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lockbook-server",
        abstract: "The server that Lockbook's devices synchronise through; it can read nothing.",
        version: "lockbook-server 0.1.0 (protocol \(Wire.version))",
        subcommands: [Serve.self, Check.self]
    )

    static func main() async {
        do {
            try requireArguments(CommandLine.arguments)
            try Process.requireText()
            switch try parseAsRoot() {
            case var command as any AsyncParsableCommand: try await command.run()
            case var command: try command.run()
            }
        } catch  where error is ExitCode || exitCode(for: error) == .success {
            exit(withError: error)
        } catch let failure as Failure {
            failure.report()
            exit(withError: ExitCode(failure.code))
        } catch {
            Failure(ofWords: message(for: error)).report()
            exit(withError: ExitCode(64))
        }
    }

    /// Refuses to run as if nothing was asked where not even the program's name is there, and what
    /// is empty: it is the variable of a script that was never set.
    static func requireArguments(_ arguments: [String]) throws {
        guard !arguments.isEmpty else { throw Failure.noArguments }
        if let empty = arguments.dropFirst().firstIndex(of: "") {
            throw Failure(emptyArgument: empty, behind: arguments[empty - 1])
        }
    }
}
