extension CommandShape {
    static let account = CommandShape(
        "account",
        abstract: "Make, bring, show or leave an account",
        commands: [
            CommandShape(
                "new",
                abstract: "Make an account",
                options: server,
                words: [.newUser]
            ),
            CommandShape(
                "import",
                abstract: "Bring your account to this device",
                options: server
            ),
            CommandShape(
                "export",
                abstract: "Show the key of the account",
                options: [
                    Option("--phrase", help: "Show the key as 24 words."),
                    Option("--qr", help: "Show the key as a QR code."),
                    Option(
                        "--check",
                        help:
                            "Show nothing; read a key or phrase, and tell whether it is this account's."
                    ),
                ]
            ),
            CommandShape(
                "status",
                abstract: "Show the account of this device",
                options: [Option("--json", help: "Show it as JSON.")]
            ),
            CommandShape(
                "server",
                abstract: "Show or change the server that this device syncs with",
                options: [
                    Option(
                        "--server-cert",
                        help: "A file with the certificate to trust, in PEM.",
                        value: .disk
                    ),
                    Option(
                        "--system-certs",
                        help: "Trust the system's certificates instead of one from a file."
                    ),
                    Option("-f", "--force", help: "Do not ask the server first."),
                ],
                words: [.nothing]
            ),
            CommandShape(
                "logout",
                abstract: "Remove the account and its notes from this device",
                options: [
                    Option(
                        "-f",
                        "--force",
                        help: "Give up changes that were not synced, and do not ask."
                    )
                ]
            ),
            CommandShape(
                "delete",
                abstract: "Delete the account on the server, for good",
                options: [Option("-f", "--force", help: "Do not ask.")]
            ),
        ]
    )

    private static let server = [
        Option(
            "--server",
            help: "The server's address (default: $API_URL, else http://127.0.0.1:7654).",
            value: .nothing
        ),
        Option(
            "--server-cert",
            help: "A file with the certificate to trust, in PEM, instead of the system's.",
            value: .disk
        ),
    ]
}
