import ArgumentParser
import Glibc
import LockbookEngine

struct Today: ParsableCommand, ChangingNotes {
    static let configuration = CommandConfiguration(
        commandName: "today",
        abstract: "Edit the note of the day",
        discussion: """
            That is /daily/YEAR-MONTH-DAY.md. When it is not there yet it is made from \
            /templates/daily.md, in which {{date}} and {{time}} stand for the date and the time; \
            without a template it begins with the date.
            """
    )

    @Flag(help: "Make the note if it is not there, and show its path instead of editing it.")
    var printPath = false

    @Option(help: ArgumentHelp("The editor's command line.", valueName: "command"))
    var editor: String?

    func run() throws {
        let lockbook = try Lockbook.open()
        let now = localTime(milliseconds: Int64(time(nil)) * 1000).split(separator: " ")
        guard now.count == 2 else { throw CommandError.noDate }
        let (date, time) = (String(now[0]), String(now[1]))
        let settings = try Settings.current()
        let folder = settings.text(.daily) ?? "/daily"
        let path = "\(folder.hasSuffix("/") ? String(folder.dropLast()) : folder)/\(date).md"
        let source = settings.text(.dailyTemplate) ?? "/templates/daily.md"
        _ = try lockbook.create(path: path, template: source) { template in
            guard let template else { return "# \(date)\n\n" }
            return template.replacing("{{date}}", with: date).replacing("{{time}}", with: time)
        }
        if printPath {
            try Terminal.show(lines: [path])
        } else {
            try Editing(lockbook: lockbook, editor: Editor(editor)).run(.path(path))
        }
    }
}
