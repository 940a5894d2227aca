import ArgumentParser

/// `lockbook restore` under the noun that it belongs to.
struct TrashRestore: ParsableCommand, FollowedBySync {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Bring back what was deleted (restore)"
    )

    @OptionGroup var restoring: Restoring

    func run() throws { try restoring.run() }
}
