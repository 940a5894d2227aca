import Foundation
import Testing

@testable import lockbook

/// What our sentences tell to do next.
@Suite struct NamedCommandTests {
    /// In front of a command: in a sentence, a table of commands, or what shows how it is used.
    private static let marks = ["`", "\": \"", "usage: \""]

    @Test func `where a text was kept is one word of the command that takes it`() {
        let error = CommandError.noDate
        let failure = Failure(
            command: .notStored(error, kept: "/my tmp/note.md", isRescued: true)
        )
        #expect(failure.hint?.contains("<'/my tmp/note.md'` stores it elsewhere") == true)
    }

    @Test func `sentences name commands between backticks, where a profile is repeated`() throws {
        let names = Set(CommandShape.root.commands.flatMap(\.names))
        for module in ["lockbook", "LockbookEngine"] {
            let folder = "\(Programs.repository)/Sources/\(module)"
            let files = try FileManager.default.subpathsOfDirectory(atPath: folder)
            for file in files where file.hasSuffix(".swift") {
                let text = try String(contentsOfFile: "\(folder)/\(file)", encoding: .utf8)
                for line in text.split(separator: "\n") {
                    let words = line.drop { $0 == " " }
                    // A comment, or an example of the help.
                    guard !words.hasPrefix("//"), !words.hasPrefix("$ ") else { continue }
                    for program in words.ranges(of: "lockbook ") {
                        let next = words[program.upperBound...].prefix { $0.isLetter }
                        let before = words[..<program.lowerBound]
                        let isMarked =
                            before.isEmpty || Self.marks.contains { before.hasSuffix($0) }
                        #expect(isMarked || !names.contains(String(next)), "\(file): \(words)")
                    }
                }
            }
        }
    }
}
