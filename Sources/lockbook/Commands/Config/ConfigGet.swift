import ArgumentParser

struct ConfigGet: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "get",
        abstract: "Print the value of a setting",
        discussion: "Nothing is printed when nobody set it and there is no default."
    )

    @Argument(help: "The setting.")
    var key: String

    func run() throws {
        guard let known = SettingKey(rawValue: key) else {
            let names = SettingKey.allCases.map(\.rawValue)
            throw CommandError.unknownSetting(key, near: nearest(to: key, among: names))
        }
        try Terminal.show(lines: Settings.current().text(known).map { [$0] } ?? [])
    }
}
