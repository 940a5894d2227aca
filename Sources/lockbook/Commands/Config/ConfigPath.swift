import ArgumentParser

struct ConfigPath: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "path",
        abstract: "Print where the configuration file is",
        discussion: "There need not be one."
    )

    func run() throws {
        guard let path = try Settings.path() else { throw CommandError.noHome }
        try Terminal.show(lines: [path])
    }
}
