import ArgumentParser
import LockbookEngine

struct Today: ParsableCommand, FollowedBySync {
    /// Where the notes of the day are, and what they begin with, when nobody says anything.
    static let standardFolder = "/daily"
    static let standardTemplate = "/templates/daily.md"

    static let configuration = CommandConfiguration(
        commandName: "today",
        abstract: "Edit the note of the day",
        discussion: """
            That is /daily/YEAR-MONTH-DAY.md. When it is not there yet it begins with \
            /templates/daily.md, in which {{date}}, {{time}} and {{title}} are filled in, or \
            with the date where there is no template; it is made when it is saved.
            """
    )

    @Flag(help: "Make the note if it is not there, and show its path instead of editing it.")
    var printPath = false

    @Option(help: ArgumentHelp("The editor's command line.", valueName: "command"))
    var editor: String?

    func run() throws {
        let lockbook = try Lockbook.open()
        let settings = try Settings.current()
        let template = try NoteTemplate(
            path: settings.text(.dailyTemplate) ?? Self.standardTemplate
        )
        let date = template.text("{{date}}", for: "")
        // As every path is shown, however the folder is written in the configuration.
        let folder = (settings.text(.daily) ?? Self.standardFolder)
            .split(separator: "/").map { "/" + $0 }
        let path = "\(folder.joined())/\(date).md"
        try template.fetch(from: lockbook)
        let text: @Sendable (String?) -> String = { found in
            template.text(found ?? "# {{date}}\n\n", for: path)
        }
        if printPath {
            if try lockbook.create(path: path, template: template.path, text: text) {
                try? lockbook.noteTold(shares: lockbook.tellShares(at: [.path(path)]))
            }
            try Terminal.afterDone(hint: "giving the command again shows it") {
                try Terminal.show(lines: [path])
            }
        } else {
            let told = lockbook.tellShares(at: [.path(path)])
            let editing = Editing(lockbook: lockbook, editor: Editor(editor))
            let isStored = try editing.run(.path(path)) {
                text(try lockbook.template(at: template.path))
            }
            if isStored { try? lockbook.noteTold(shares: told) }
        }
    }
}
