import ArgumentParser

struct Debug: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "debug",
        abstract: "Look inside",
        subcommands: [
            DebugInfo.self, DebugWhoami.self, DebugWhereami.self, DebugValidate.self,
        ]
    )
}
