import ArgumentParser
import LockbookEngine

struct New: ParsableCommand, FollowedBySync {
    static let configuration = CommandConfiguration(
        commandName: "new",
        abstract: "Make documents and folders",
        discussion: """
            A path that ends in / makes a folder. Folders on the way are made as well. What cannot \
            be made keeps nothing else from it.

              $ lockbook new /notes/ /notes/today.md
              $ lockbook new --template meeting /meetings/2026-11-21.md

            A template is a document of /templates, with or without its .md, or the path of one; \
            {{date}}, {{time}} and {{title}}, the note's name, are filled in.
            """
    )

    @Argument(help: ArgumentHelp("Where to make it.", valueName: "path"))
    var paths: [String]

    @Option(help: ArgumentHelp("The template that documents begin with.", valueName: "name"))
    var template: String?

    func validate() throws {
        guard template == nil || !paths.contains(where: { $0.hasSuffix("/") }) else {
            throw ValidationError("a folder has no template")
        }
    }

    func run() throws {
        let lockbook = try Lockbook.open()
        guard let template else { return try tell(lockbook.create(paths: paths)) }
        let chosen = try NoteTemplate(named: template, in: lockbook)
        try chosen.fetch(from: lockbook)
        let text = try lockbook.template(at: chosen.path) ?? ""
        try tell(lockbook.create(paths: paths) { chosen.text(text, for: $0) })
    }

    /// What was made is there at once; what was not is told, as if each had been made by itself.
    private func tell(_ made: [Result<FileInfo, any Error>]) throws {
        try forEach(made) { _ = try $0.get() }
    }
}
