import ArgumentParser

struct Config: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config",
        abstract: "Show the configuration",
        discussion: "The file is `lockbook config path`; `man lockbook-config` has every setting.",
        subcommands: [ConfigList.self, ConfigGet.self, ConfigPath.self]
    )
}
