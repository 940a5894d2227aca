/// Commands for the notes of every day.
extension CommandShape {
    static let jot = CommandShape(
        "jot",
        abstract: "Add a line with date and time to a note",
        options: [Option("--to", help: "The note (default: /jot.md).", value: .path)],
        words: [.nothing],
        many: true
    )
    static let today = CommandShape(
        "today",
        abstract: "Edit the note of the day",
        options: [
            Option(
                "--print-path",
                help: "Make the note if it is not there, and show its path instead of editing it."
            ),
            Option("--editor", help: "The editor's command line.", value: .nothing),
        ]
    )
}
