import ArgumentParser

struct Conflicts: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "conflicts",
        abstract: "Show and decide what merges could not",
        discussion: "Alone it lists.",
        subcommands: [ConflictsList.self, ConflictsResolve.self],
        defaultSubcommand: ConflictsList.self
    )
}
