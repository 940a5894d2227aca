import Foundation
import Glibc

/// One telling of a script, in a scratch folder of its own.
final class ScriptRun {
    struct Failure: Error, CustomStringConvertible {
        var line: Int
        var description: String
    }

    let folder: String
    var environment: [String: String]
    private var input: String?
    private var status: Int32?
    private var server: ServerProcess?

    init(_ script: Script) throws {
        folder = NSTemporaryDirectory() + "lockbook-script-" + UUID().uuidString
        try FileManager.default.createDirectory(
            atPath: folder + "/outside",
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        environment = [
            "PATH": Programs.folder + ":/usr/local/bin:/usr/bin:/bin", "HOME": folder,
            "WORK": folder, "TZ": "UTC", "LANG": "C", "TERM": "xterm",
            "LOCKBOOK_PATH": folder + "/laptop",
            // A port that nothing listens on, should a script forget its server.
            "API_URL": "http://127.0.0.1:9",
        ]
        for (name, text) in script.files {
            let path = folder + "/" + name
            try FileManager.default.createDirectory(
                atPath: (path as NSString).deletingLastPathComponent,
                withIntermediateDirectories: true
            )
            try Self.write(Array(text.utf8), to: path)
        }
    }

    /// Writes a file that no other process gets hold of: one that a program which another test
    /// starts at this moment held open could not be run ("text file busy").
    private static func write(_ bytes: [UInt8], to path: String) throws {
        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard file >= 0, Glibc.write(file, bytes, bytes.count) == bytes.count, close(file) == 0
        else { throw Programs.Unstarted(program: path, reason: String(cString: strerror(errno))) }
    }

    func tell(_ script: Script) throws {
        defer {
            _ = server?.stop()
            try? FileManager.default.removeItem(atPath: folder)
        }
        for step in script.steps {
            do {
                try take(step)
            } catch let failure as Failure {
                throw failure
            } catch {
                throw Failure(line: step.line, description: "\(error)")
            }
        }
    }

    private func take(_ step: Script.Step) throws {
        let words = step.words.dropFirst().map(expanded)
        func check(_ holds: Bool, _ otherwise: @autoclosure () -> String) throws {
            guard holds != step.isTurned else {
                let said = "\n--- stdout\n\(text("stdout"))\n--- stderr\n\(text("stderr"))"
                throw Failure(
                    line: step.line,
                    description: (step.isTurned ? "not wanted: " : "") + otherwise() + said
                )
            }
        }
        switch (step.words[0], words.count) {
        case ("lockbook", _):
            try run([Programs.folder + "/lockbook"] + words)
            try check(status == 0, "status \(status ?? -1)")
        case ("sh", 1):
            try run(["/bin/sh", "-c"] + words)
            try check(status == 0, "status \(status ?? -1)")
        case ("status", 1):
            try check(status.map(String.init) == words[0], "status \(status ?? -1)")
        case ("stdout", 1), ("stderr", 1):
            let pattern = try NSRegularExpression(pattern: words[0], options: .anchorsMatchLines)
            let said = text(step.words[0])
            let range = NSRange(said.startIndex..., in: said)
            try check(
                pattern.firstMatch(in: said, range: range) != nil,
                "no match in \(step.words[0])"
            )
        case ("stdin", 1):
            input = path(words[0])
        case ("cmp", 2):
            let (left, right) = (contents(words[0]), contents(words[1]))
            try check(left != nil && left == right, "\(words[0]) and \(words[1]) differ")
        case ("exists", 1...):
            for word in words {
                // Also what a symbolic link that leads nowhere is.
                let facts = try? FileManager.default.attributesOfItem(atPath: path(word))
                try check(facts != nil, "no \(word)")
            }
        case ("device", 1):
            environment["LOCKBOOK_PATH"] = path(words[0])
        case ("env", 1):
            let parts = words[0].split(
                separator: "=",
                maxSplits: 1,
                omittingEmptySubsequences: false
            )
            environment[String(parts[0])] = parts.count > 1 ? String(parts[1]) : nil
        case ("server", 1...):
            try serve(words)
        default:
            throw Failure(line: step.line, description: "no such step: \(step.words)")
        }
    }

    private func run(_ words: [String]) throws {
        let process = try Programs.start(
            // A program that hangs is a failure and not the end of all tests. A broken pipe ends programs
            // as it does in a shell, whatever a library in this process made of it.
            [
                "/usr/bin/env", "--default-signal=PIPE",
                "/usr/bin/timeout", "--foreground", "-s", "KILL", "900",
            ] + words,
            in: folder,
            environment: environment,
            streams: .init(
                input: input ?? "/dev/null",
                output: path("stdout"),
                error: path("stderr")
            )
        )
        input = nil
        status = Programs.wait(for: process)
    }

    private func serve(_ words: [String]) throws {
        switch words[0] {
        case "start", "again":
            // An address that clients know by now stays what it is.
            let address = words[0] == "start" ? nil : environment["API_URL"]
            // Of a host of its own: on 127.0.0.1 some client may have the port while the server is
            // stopped. The certificates of scripts are for that one.
            let isPlain = !words.contains("--tls-cert")
            let new =
                isPlain ? "127.\(Int.random(in: 1...254)).\(Int.random(in: 1...254)).1:0" : nil
            let server = try ServerProcess(
                in: folder,
                environment: environment,
                address: address.map { String($0.split(separator: "/")[1]) } ?? new
                    ?? "127.0.0.1:0",
                options: Array(words.dropFirst())
            )
            self.server = server
            environment["API_URL"] = server.url
        case "stop":
            let status = server?.stop()
            server = nil
            guard status == 0 else {
                throw Programs.Unstarted(program: "server", reason: "ended with \(status ?? -1)")
            }
        default:
            throw Programs.Unstarted(program: "server", reason: "no such word: \(words[0])")
        }
    }

    /// Puts in what the environment has: `$NAME`.
    private func expanded(_ word: String) -> String {
        environment.keys.sorted { $0.count > $1.count }
            .reduce(word) { $0.replacingOccurrences(of: "$" + $1, with: environment[$1] ?? "") }
    }

    private func path(_ name: String) -> String {
        if name == "stdout" || name == "stderr" { return folder + "/outside/" + name }
        return name.hasPrefix("/") ? name : folder + "/" + name
    }

    private func contents(_ name: String) -> Data? {
        FileManager.default.contents(atPath: path(name))
    }

    private func text(_ name: String) -> String {
        String(decoding: contents(name) ?? Data(), as: UTF8.self)
    }
}
