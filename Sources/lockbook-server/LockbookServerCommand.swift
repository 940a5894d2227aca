import ArgumentParser
import LockbookAPI
import LockbookProcess

@main
struct LockbookServerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lockbook-server",
        abstract: "The server that Lockbook's devices synchronise through; it can read nothing.",
        version: "lockbook-server \(Version.current) (protocol \(Wire.version))",
        subcommands: [Serve.self, Check.self]
    )

    static func main() async {
        Process.fillStreams()
        do {
            switch try parseAsRoot(words(of: ProcessArguments())) {
            case var command as any AsyncParsableCommand:
                // The parser lets it run on another thread.
                try Process.needThreads()
                try await command.run()
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

    /// The words behind the program's name.
    ///
    /// Refused are those that are not UTF-8, as what was decoded all the same would be the name of another
    /// folder, and the same for two; and empty ones: that is the variable of a script that was never set.
    static func words(of given: ProcessArguments?) throws -> [String] {
        // Not as if nothing was asked.
        guard let given else { throw Failure.noArguments }
        if let empty = given.words.dropFirst().firstIndex(of: "") {
            throw Failure(emptyArgument: empty, behind: given.words[empty - 1])
        }
        if let notUTF8 = given.notUTF8 {
            throw Failure(notUTF8: "argument \(notUTF8)")
        }
        return Array(given.words.dropFirst())
    }
}
