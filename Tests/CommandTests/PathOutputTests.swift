import LockbookEngine
import Testing

@testable import lockbook

/// What is said of a file that could not be read.
@Suite struct PathOutputTests {
    @Test func `what says itself where it is says so once`() {
        let reason = LockbookError.unreadableContent(path: "/m.md", file: "/f", reason: "no")
        #expect(
            PathOutput.sentence("/m.md", reason) == "the content of /m.md cannot be read: no"
        )
        let gone = LockbookError.damaged(file: "/m.md", author: "")
        #expect(PathOutput.sentence("/m.md", gone) == "/m.md is damaged")
    }

    @Test(arguments: ["/home", "/home/bob/shares"])
    func `a folder of the disk is none of the lockbook`(directory: String) {
        let reason = LockbookError.damagedStore(directory: directory)
        #expect(
            PathOutput.sentence("/home", reason) == "/home: the database in \(directory) is damaged"
        )
    }
}
