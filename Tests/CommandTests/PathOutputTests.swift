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

    @Test func `a path that begins another one does not name itself by that`() {
        let reason = LockbookError.damagedStore(directory: "/home/bob/shares")
        #expect(
            PathOutput.sentence("/home", reason)
                == "/home: the database in /home/bob/shares is damaged"
        )
    }
}
