import ArgumentParser

struct Config: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config",
        abstract: "Show the configuration",
        discussion: "The file is `lockbook config path`; `man 5 lockbook-config` has all settings.",
        subcommands: [ConfigList.self, ConfigGet.self, ConfigPath.self]
    )
}
