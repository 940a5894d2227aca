import ArgumentParser

struct ConfigList: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Show every setting, its value and where that comes from",
        discussion: "Where that is: a file and line, an environment variable, or the default."
    )

    @Flag(help: "Show everything as JSON.")
    var json = false

    private struct Shown: Encodable {
        var key: String
        var value: String?
        var source: String?
    }

    func run() throws {
        let settings = try Settings.current()
        let shown = SettingKey.allCases.map { key in
            Shown(key: key.rawValue, value: settings[key]?.value, source: settings[key]?.source)
        }
        guard !json else { return try Terminal.show(json: shown) }
        try Terminal.show(
            lines: zip(SettingKey.allCases, shown).map { key, setting in
                guard let value = setting.value, let source = setting.source else {
                    return "# \(setting.key) is not set"
                }
                let scope = key.isForNewAccounts ? ", for a new account" : ""
                return "\(setting.key) = \(value)  # \(source)\(scope)"
            }
        )
    }
}
