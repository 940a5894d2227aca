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

    @Test func `a command over several trees names a file of each`() throws {
        let mine = "{\"id\":\"1\",\"path\":\"/a.md\",\"change\":\"deleted\"}"
        let other = "{\"id\":\"2\",\"path\":\"/team/a.md\",\"change\":\"made\"}"
        let json = "{\"number\":7,\"time\":0,\"files\":3,\"changes\":[\(mine),\(other)]}"
        let command = try JSONDecoder().decode(ChangingCommand.self, from: Data(json.utf8))
        #expect(command.line.hasSuffix("  deleted /a.md, made /team/a.md and 1 more"))
    }

    @Test(
        arguments: [
            ("unshared", "on what is not shared with you any more"),
            ("purged", "on what is gone, deleted for good or not shared any more"),
        ]
    )
    func `what was taken back is not told as deleted for good`(obstacle: String, line: String)
        throws
    {
        let facts = "\"number\":7,\"owner\":\"ada\",\"time\":0,\"files\":1,\"changes\":[]"
        let json = "{\(facts),\"obstacle\":\"\(obstacle)\"}"
        let command = try JSONDecoder().decode(ChangingCommand.self, from: Data(json.utf8))
        #expect(command.line.hasPrefix("7@ada  "))
        #expect(command.line.hasSuffix("  " + line))
    }
}
