import Foundation
import LockbookEngine
import Testing

@testable import lockbook

@Suite struct UndoListTests {
    @Test(
        arguments: [
            (1, "[]", "1 file, gone or with other keys since"),
            (3, "[]", "3 files, gone or with other keys since"),
            (1, "[{\"id\":\"1\",\"path\":\"/a.md\",\"change\":\"made\"}]", "made /a.md"),
            (3, "[{\"id\":\"1\",\"path\":\"/a.md\",\"change\":\"made\"}]", "made /a.md and 2 more"),
        ]
    )
    func `a command that changed one file is never told as two`(
        files: Int,
        changes: String,
        line: String
    ) throws {
        let json = "{\"number\":7,\"time\":0,\"files\":\(files),\"changes\":\(changes)}"
        let command = try JSONDecoder().decode(ChangingCommand.self, from: Data(json.utf8))
        #expect(command.line.hasPrefix("7  "))
        #expect(command.line.hasSuffix("  " + line))
    }
}
