/// What carries files over from the disk and to it.
extension CommandShape {
    private static let transfer = [
        Option("-q", "--quiet", help: "Tell only what failed."),
        Option("--json", help: "Show what was done as JSON."),
    ]

    static let importFiles = CommandShape(
        "import",
        abstract: "Take files from the disk in",
        options: [
            Option(
                "--checksum",
                help: "Read every file, also those that look as they did the last time."
            ),
            Option(
                "-f",
                "--force",
                help: "Take files also where the note was changed in the lockbook."
            ),
            Option(
                "--exclude",
                help: "Pass by what fits; may be given several times.",
                value: .nothing
            ),
            Option(
                "--from",
                help: "Take in an export of obsidian, joplin, standard-notes or bear.",
                value: .oneOf(["bear", "joplin", "obsidian", "standard-notes"])
            ),
        ] + transfer,
        words: [.disk, .folder],
        many: true
    )
    static let export = CommandShape(
        "export",
        abstract: "Write files to the disk, decrypted",
        options: [
            Option("-f", "--force", help: "Overwrite files that no export wrote."),
            Option(
                "--mirror",
                help: "Remove what exports wrote that is not in the lockbook any more."
            ),
            Option(
                "--format",
                help: "Write an archive: tar or zip.",
                value: .oneOf(["tar", "zip"])
            ),
        ] + transfer,
        words: [.path, .disk]
    )
}
