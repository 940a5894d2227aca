import ArgumentParser
import LockbookEngine

struct Rename: ParsableCommand, FollowedBySync {
    static let configuration = CommandConfiguration(
        commandName: "rename",
        abstract: "Give a file another name",
        discussion: "It stays in its folder; `lockbook move` takes it elsewhere."
    )

    @Argument(help: "The file.")
    var target: String

    @Argument(help: "Its new name.")
    var name: String

    func run() throws {
        _ = try Lockbook.open().rename(FileReference(target), to: name)
    }
}
