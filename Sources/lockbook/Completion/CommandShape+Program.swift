/// Commands about the program itself.
extension CommandShape {
    static let profile = Option(
        "--profile",
        help: "The profile of the configuration file.",
        value: .profile
    )

    static let noInput = Option(
        "--no-input",
        help: "Ask nothing, as if there was no terminal."
    )
    static let shell = CommandShape(
        "shell",
        abstract: "Read commands, with a prompt, completion and a history",
        options: [
            Option(
                "-e",
                "--exit-on-error",
                help: "Stop at the first line that fails, without a terminal."
            )
        ]
    )
    static let config = CommandShape(
        "config",
        abstract: "Show the configuration",
        commands: [
            CommandShape(
                "list",
                abstract: "Show every setting, its value and where that comes from",
                options: [Option("--json", help: json)]
            ),
            CommandShape("get", abstract: "Print the value of a setting", words: [.setting]),
            CommandShape("path", abstract: "Print where the configuration file is"),
        ]
    )
}
