import ArgumentParser
import LockbookEngine

struct New: ParsableCommand, ChangingNotes {
    static let configuration = CommandConfiguration(
        commandName: "new",
        abstract: "Make documents and folders",
        discussion: """
            A path that ends in / makes a folder. Folders on the way are made as well.

              $ lockbook new /notes/ /notes/today.md
            """
    )

    @Argument(help: ArgumentHelp("Where to make it.", valueName: "path"))
    var paths: [String]

    func run() throws {
        let lockbook = try Lockbook.open()
        try forEach(paths) { _ = try lockbook.create(path: $0) }
    }
}
