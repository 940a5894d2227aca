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
        Process.fillStreams()
        do {
            try requireArguments(CommandLine.arguments)
            try Process.requireText()
            switch try parseAsRoot() {
            case var command as any AsyncParsableCommand: try await command.run()
            case var command: try command.run()
            }
        } catch let code as ExitCode {
            exit(withError: code)
        } catch  where exitCode(for: error) == .success {
            // The parser's own answers, `--help` and `--version`.
            if let unwritten = Process.announce(fullMessage(for: error)) {
                end(after: Failure(output: unwritten))
            }
            exit(withError: ExitCode.success)
        } catch let failure as Failure {
            end(after: failure)
        } catch {
            end(after: Failure(ofWords: message(for: error)))
        }
    }

    private static func end(after failure: Failure) -> Never {
        failure.report()
        exit(withError: ExitCode(failure.code))
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
