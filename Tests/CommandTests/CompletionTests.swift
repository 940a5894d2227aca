import Foundation
import Testing

/// What completion knows must be what the parser knows, and the scripts must be those of the
/// repository.
@Suite struct CompletionTests {
    private struct Tool: Decodable {
        var command: Command
    }

    private struct Command: Decodable {
        var commandName: String
        var aliases: [String]?
        var abstract: String?
        var subcommands: [Command]?
        var defaultSubcommand: String?
        var arguments: [Argument]?
    }

    private struct Argument: Decodable {
        struct Name: Decodable {
            var kind: String
            var name: String
        }
        var kind: String
        var names: [Name]?
        var abstract: String?
        var shouldDisplay: Bool
    }

    @Test func `completion knows every command and option of the parser`() throws {
        let dump = try output(["--experimental-dump-help"])
        let tool = try JSONDecoder().decode(Tool.self, from: Data(dump.utf8))
        try compare(tool.command, path: [])
    }

    private func compare(_ command: Command, path: [String]) throws {
        let subcommands = (command.subcommands ?? []).filter { $0.commandName != "help" }
        if !subcommands.isEmpty {
            let offered = try candidates(path + [""]).filter { $0.value != "help" }
            #expect(offered.map(\.value).sorted() == subcommands.map(\.commandName).sorted())
            for subcommand in subcommands {
                let help = offered.first { $0.value == subcommand.commandName }?.help
                #expect(help == subcommand.abstract, "\(path) \(subcommand.commandName)")
                for alias in subcommand.aliases ?? [] {
                    #expect(try candidates(path + [alias]).map(\.value) == [alias])
                }
            }
        }
        let isShown = { (argument: Argument) in
            // The parser adds its own to every command; they are worth a Tab at the root only.
            argument.shouldDisplay && argument.kind != "positional"
                && !(argument.kind == "flag" && !path.isEmpty
                    && (argument.names ?? []).contains { $0.name == "version" })
        }
        // One that is meant where none is named gives its options, too.
        let meant = subcommands.first { $0.commandName == command.defaultSubcommand }
        let ofMeant = (meant?.arguments ?? []).filter { argument in
            isShown(argument) && !(argument.names ?? []).contains { $0.name == "help" }
        }
        let known = (command.arguments ?? []).filter(isShown) + ofMeant
        let offered = try candidates(path + ["-"])
        let long = known.compactMap { $0.names?.first { $0.kind == "long" }?.name }
        #expect(offered.map(\.value).sorted() == long.map { "--" + $0 }.sorted(), "\(path)")
        for option in known {
            for name in option.names ?? [] {
                let spelled = (name.kind == "long" ? "--" : "-") + name.name
                let help = try candidates(path + [spelled]).first { $0.value == spelled }?.help
                #expect(help == option.abstract, "\(path) \(spelled)")
            }
        }
        for subcommand in subcommands {
            try compare(subcommand, path: path + [subcommand.commandName])
        }
    }

    @Test(
        arguments: [("bash", "lockbook.bash"), ("zsh", "_lockbook"), ("fish", "lockbook.fish")]
    )
    func `the program prints the adapters of the repository`(shell: String, file: String) throws {
        let script = try String(
            contentsOfFile: Programs.repository + "/completions/" + file,
            encoding: .utf8
        )
        #expect(
            try output(["completions", shell]) == script,
            "run Tests/CommandTests/embed-completions"
        )
    }

    private func candidates(_ words: [String]) throws -> [(value: String, help: String)] {
        let records = try output(["__complete", "bash", "\(words.count)", "lockbook"] + words)
            .split(separator: "\0")
        #expect(records.first?.hasPrefix("directive=") == true)
        return records.dropFirst().map { record in
            let parts = record.split(separator: "\t", maxSplits: 1)
            return (String(parts[0]), parts.count > 1 ? String(parts[1]) : "")
        }
    }

    private func output(_ words: [String]) throws -> String {
        let folder = NSTemporaryDirectory() + "lockbook-completion-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let process = try Programs.start(
            [Programs.folder + "/lockbook"] + words,
            in: folder,
            environment: ["HOME": folder],
            streams: .init(
                input: "/dev/null",
                output: folder + "/stdout",
                error: folder + "/stderr"
            )
        )
        #expect(Programs.wait(for: process) == 0)
        return try String(contentsOfFile: folder + "/stdout", encoding: .utf8)
    }
}
