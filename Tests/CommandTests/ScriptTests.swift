import Foundation
import Testing

/// Runs every script of the folder `Scripts` with the real programs.
@Suite struct ScriptTests {
    static let scripts: [Result<Script, any Error>] = {
        let folder = Programs.repository + "/Tests/CommandTests/Scripts"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { $0.hasSuffix(".txt") }.sorted().map { name in
            Result {
                let path = folder + "/" + name
                return try Script(
                    named: name,
                    path: path,
                    text: String(contentsOfFile: path, encoding: .utf8)
                )
            }
        }
    }()

    @Test func `there are scripts`() {
        #expect(Self.scripts.count > 10)
    }

    @Test(arguments: scripts.map(Told.init))
    func `what a script tells is what happens`(told: Told) throws {
        let script = try told.script.get()
        do {
            try ScriptRun(script).tell(script)
        } catch let failure as ScriptRun.Failure {
            Issue.record(
                "\(script.name):\(failure.line): \(failure)",
                sourceLocation: SourceLocation(
                    fileID: "CommandTests/\(script.name)",
                    filePath: script.path,
                    line: failure.line,
                    column: 1
                )
            )
        }
    }

    struct Told: Sendable, CustomTestStringConvertible {
        var script: Result<Script, any Error>
        var testDescription: String { (try? script.get().name) ?? "a script that cannot be read" }
    }

    @Test(
        arguments: [
            "lockbook list",
            "! lockbook --version",
            "lockbook --version\nstdout 'lockbook 9'",
            "lockbook --version\n! stdout lockbook",
            "lockbook --version\nstatus 3",
            "lockbook --version\nstderr .",
            "lockbook --version\ncmp stdout file\n-- file --\nlockbook",
            "lockbook --version\ncmp nothing nothing",
            "exists nothing",
            "! exists file\n-- file --\n",
            "sh 'exit 1'",
            "frobnicate",
            "status 0",
        ]
    )
    func `a script that is not so fails`(text: String) throws {
        let script = try Script(named: "wrong", path: "wrong", text: text)
        #expect(throws: ScriptRun.Failure.self) { try ScriptRun(script).tell(script) }
    }
}
