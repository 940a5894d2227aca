import ArgumentParser
import LockbookEngine

struct History: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history",
        abstract: "Show the versions of a file",
        discussion: """
            The newest first: the version, when it was made, what it changed, on which device, its \
            size and where the file stood. Of a folder, all changes below it. The server is asked \
            for what it keeps; without it only what is on this device is shown, and that is said. \
            A version is read with `lockbook cat --version`, compared with `lockbook diff` and \
            brought back with `lockbook restore --version`.
            """
    )

    @Argument(help: "The file or folder; also one in the trash.")
    var target: String

    @Option(
        name: [.customShort("n", allowingJoined: true), .customLong("number")],
        // One below nothing is told as nothing is, and is no option.
        parsing: .unconditional,
        help: ArgumentHelp("How many at most.", valueName: "number")
    )
    var number: Int = 100

    @Flag(help: "Show everything as JSON.")
    var json = false

    func validate() throws {
        guard (1...100_000).contains(number) else {
            throw ValidationError("--number is 1 to 100000")
        }
    }

    func run() throws {
        let lockbook = try Lockbook.open()
        let history = try asking(lockbook.awaited) { [number, target] in
            try await lockbook.history(FileReference(target), limit: number)
        }
        if json {
            try Terminal.show(json: history)
        } else {
            try Terminal.show(lines: VersionTable(history.versions).lines)
        }
        if !history.isComplete {
            let obstacle = history.obstacle ?? .unreachable
            Terminal.notice("\(obstacle.sentence); this is what is on this device")
        }
        if history.hasMore {
            Terminal.notice("there are older ones; --number shows more")
        }
    }
}

extension FileHistory.Obstacle {
    /// How a command ends that cannot do without the server.
    var status: Status {
        switch self {
        case .unreachable: .offline
        case .refused: .refused
        case .tooFewFiles, .tooFewThreads: .store
        }
    }

    /// Why nothing comes from the server, as the beginning of a sentence.
    var sentence: String {
        switch self {
        case .unreachable: "the server cannot be asked"
        case .refused: "it is not shared with you any more, so the server does not tell"
        case .tooFewFiles: "too few files may be open here, so the server was not asked"
        case .tooFewThreads: "too few threads can be made here, so the server was not asked"
        }
    }
}
