import ArgumentParser

struct Trash: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trash",
        abstract: "Show, bring back or purge what was deleted",
        discussion: """
            Alone it lists. What is in the trash for 30 days is purged by the next sync, or after \
            as many days as $LOCKBOOK_TRASH_DAYS or `trash_days` in the configuration says; `never` \
            keeps it.
            """,
        subcommands: [TrashList.self, TrashRestore.self, TrashEmpty.self],
        defaultSubcommand: TrashList.self
    )
}
