import Foundation
import LockbookModel
import Testing

/// The merge beside `git merge-file`, which has been trusted with more text than any other.
@Suite struct TextMergeGitTests {
    @Test(arguments: [
        Draw(cases: 100, vocabulary: 1_000, length: 30, edits: 8),
        Draw(cases: 140, vocabulary: 8, length: 25, edits: 8),
        Draw(cases: 60, vocabulary: 40, length: 300, edits: 60),
    ])
    func `what git merges cleanly comes out the same`(draw: Draw) throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "textmerge-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }

        var clean = 0
        for seed in 0..<UInt64(draw.cases) {
            let drawn = DrawnMerge(
                seed: seed,
                vocabulary: draw.vocabulary,
                length: draw.length,
                edits: draw.edits
            )
            let texts = [drawn.local, drawn.base, drawn.remote].map {
                DrawnMerge.text($0, endsLine: seed % 7 != 0)
            }
            guard let expected = try git(texts, in: folder) else { continue }
            clean += 1
            let ours = merged(texts[1], texts[0], texts[2])
            #expect(ours == .clean(expected), "seed \(seed) of \(draw)")
        }
        #expect(clean > draw.cases / 5)
    }

    struct Draw: Sendable {
        var cases: Int
        var vocabulary: Int
        var length: Int
        var edits: Int
    }

    /// What git makes of local, base and remote, or nothing if it finds a conflict.
    private func git(_ texts: [String], in folder: URL) throws -> String? {
        let files = ["local", "base", "remote"].map { folder.appending(path: $0) }
        for (file, text) in zip(files, texts) { try Data(text.utf8).write(to: file) }
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["git", "merge-file", "-p", "-q"] + files.map { $0.path() }
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return process.terminationStatus == 0 ? String(decoding: data, as: UTF8.self) : nil
    }
}
