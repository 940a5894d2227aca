import Foundation
import Glibc

/// A real server on a free port of this machine, with its data in a scratch folder.
struct ServerProcess {
    let url: String
    private let process: pid_t

    /// Returns when it says that it can be reached.
    init(
        in folder: String,
        environment: [String: String],
        address: String,
        options: [String]
    ) throws {
        let program = Programs.folder + "/lockbook-server"
        guard access(program, X_OK) == 0 else {
            throw Programs.Unstarted(program: program, reason: "not built")
        }
        let announcement = folder + "/server.announcement"
        try? FileManager.default.removeItem(atPath: announcement)
        guard mkfifo(announcement, 0o600) == 0 else {
            throw Programs.Unstarted(program: "mkfifo", reason: String(cString: strerror(errno)))
        }
        // Open for both, so that neither opening waits for the other side.
        let reader = open(announcement, O_RDWR | O_CLOEXEC)
        defer { close(reader) }
        process = try Programs.start(
            [
                program, "serve", "--listen", address,
                "--data", folder + "/server",
            ] + options,
            in: folder,
            environment: environment,
            streams: .init(
                input: "/dev/null",
                output: announcement,
                error: folder + "/server.log"
            )
        )
        var line: [UInt8] = []
        while line.last != UInt8(ascii: "\n") {
            var ready = pollfd(fd: reader, events: Int16(POLLIN), revents: 0)
            guard poll(&ready, 1, 30_000) == 1 else {
                kill(process, SIGKILL)
                _ = Programs.wait(for: process)
                let log = try? String(contentsOfFile: folder + "/server.log", encoding: .utf8)
                throw Programs.Unstarted(program: "lockbook-server", reason: log ?? "no log")
            }
            var byte: UInt8 = 0
            guard read(reader, &byte, 1) == 1 else { continue }
            line.append(byte)
        }
        url = String(String(decoding: line, as: UTF8.self).split(separator: " ").last ?? "")
            .trimmingCharacters(in: .newlines)
    }

    func stop() -> Int32 {
        kill(process, SIGTERM)
        return Programs.wait(for: process)
    }
}
