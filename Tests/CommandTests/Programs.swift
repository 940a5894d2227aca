import Foundation
import Glibc
import Testing

/// The real programs, from the folder that the tests were built into.
enum Programs {
    static let folder: String = {
        if let folder = ProcessInfo.processInfo.environment["LOCKBOOK_PROGRAMS"] {
            return folder
        }
        // The test bundle lies beside them.
        let bundle = CommandLine.arguments.first { $0.contains("PackageTests.xctest") }
        guard let bundle, let end = bundle.range(of: "/", options: .backwards) else {
            return repository + "/.build/debug"
        }
        return String(bundle[..<end.lowerBound])
    }()

    static let repository: String = {
        let file = URL(fileURLWithPath: #filePath)
        return file.deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().path
    }()

    struct Unstarted: Error {
        var program: String
        var reason: String
    }

    /// What a process reads and writes: files of the scratch folder.
    struct Streams {
        var input: String
        var output: String
        var error: String
    }

    private typealias CloseFrom =
        @convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t>, CInt) -> CInt

    /// A function of the GNU C library, 2.34 and later, that its Swift module does not have.
    private static let closeFrom: CloseFrom = {
        let symbol = dlsym(dlopen(nil, RTLD_NOW), "posix_spawn_file_actions_addclosefrom_np")
        guard let symbol else { fatalError("the C library is too old") }
        return unsafeBitCast(symbol, to: CloseFrom.self)
    }()

    /// Starts a program in a folder, with nothing of our own environment.
    static func start(
        _ words: [String],
        in folder: String,
        environment: [String: String],
        streams: Streams
    ) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, streams.input, O_RDONLY, 0)
        let writing = O_WRONLY | O_CREAT | O_TRUNC
        posix_spawn_file_actions_addopen(&actions, 1, streams.output, writing, 0o600)
        posix_spawn_file_actions_addopen(&actions, 2, streams.error, writing, 0o600)
        // What other tests have open counts against the limit of those that are told of one.
        try #require(closeFrom(&actions, 3) == 0)

        let command = ["/usr/bin/env", "-C", folder] + words
        var arguments: [UnsafeMutablePointer<CChar>?] = command.map { strdup($0) } + [nil]
        var variables: [UnsafeMutablePointer<CChar>?] =
            environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer {
            for text in arguments + variables {
                free(text)
            }
        }
        var process: pid_t = 0
        let problem = posix_spawn(&process, command[0], &actions, nil, &arguments, &variables)
        guard problem == 0 else {
            throw Unstarted(program: words[0], reason: String(cString: strerror(problem)))
        }
        return process
    }

    /// Waits for the end; the status as a shell shows it.
    static func wait(for process: pid_t) -> Int32 {
        var status: Int32 = 0
        while waitpid(process, &status, 0) == -1, errno == EINTR {}
        let signal = status & 0x7f
        return signal == 0 ? (status >> 8) & 0xff : 128 + signal
    }
}
