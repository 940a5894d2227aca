/// Commands for what several people read and write.
extension CommandShape {
    private static let mode = Word.oneOf(["read", "write", "admin"])
    private static let givenMode = Option(
        "--mode",
        help: "What the other account may do: read, write or admin.",
        value: mode
    )

    static let share = CommandShape(
        "share",
        abstract: "Share documents and folders with other accounts",
        commands: [
            CommandShape(
                "new",
                abstract: "Share a document or folder",
                options: [givenMode],
                words: [.path, .user]
            ),
            CommandShape(
                "invite",
                abstract: "Make a code that lets somebody in who has no account yet",
                options: [
                    givenMode,
                    Option(
                        "--expires",
                        help: "How long the code can be used: 30m, 12h, 7d or 4w.",
                        value: .oneOf(["1h", "1d", "7d", "4w"])
                    ),
                    Option("--json", help: "Show the invitation as JSON."),
                ],
                words: [.path]
            ),
            CommandShape(
                "list",
                abstract: "Show what is shared, with whom and how",
                options: [Option("--json", help: json)],
                words: [.path]
            ),
            CommandShape(
                "pending",
                abstract: "Show what others offer",
                options: [Option("--json", help: json)]
            ),
            CommandShape(
                "accept",
                abstract: "Put what is offered into your tree",
                words: [.offer, .folder]
            ),
            CommandShape(
                "reject",
                abstract: "Do not show an offer any more",
                words: [.offer]
            ),
            CommandShape(
                "mode",
                abstract: "Change what another account may do",
                words: [.path, .user, mode]
            ),
            CommandShape("revoke", abstract: "Take a share back", words: [.path, .user]),
            CommandShape(
                "transfer",
                abstract: "Give a shared document or folder to one of its members",
                options: [Option("--cancel", help: "Take it back, as long as it is yours.")],
                words: [.path, .user]
            ),
            CommandShape(
                "verify",
                abstract: "Make sure who an account is",
                options: [
                    Option(
                        "--confirm",
                        help: "Note that the numbers are the same; do not ask."
                    )
                ],
                words: [.user]
            ),
            CommandShape(
                "leave",
                abstract: "Give up what another account shares with you",
                words: [.path]
            ),
            CommandShape(
                "block",
                abstract: "Take no offers of an account",
                options: [
                    Option("--list", help: "Show who is blocked."),
                    Option("--json", help: "Show it as JSON, with --list."),
                ],
                words: [.user]
            ),
            CommandShape(
                "unblock",
                abstract: "Take offers of an account again",
                words: [.user]
            ),
        ]
    )
}
