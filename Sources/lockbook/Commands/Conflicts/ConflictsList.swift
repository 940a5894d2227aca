import ArgumentParser
import LockbookEngine

struct ConflictsList: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Show what merges could not decide",
        discussion: """
            What a merge on this device left in two versions, or put in the trash because the \
            other side had deleted it. It is shown until `lockbook conflicts resolve` decides it, \
            or an edit, a deletion or a restoring does. Into a pipe: one path per line.
            """
    )

    @Flag(help: "Show everything as JSON.")
    var json = false

    @Flag(name: [.customShort("0"), .customLong("null")], help: "End each path with NUL.")
    var null = false

    func validate() throws {
        guard !(json && null) else { throw ValidationError("--json and --null exclude each other") }
    }

    func run() throws {
        let conflicts = try Lockbook.open().conflicts()
        if json {
            try Terminal.show(json: conflicts)
        } else if null {
            try Terminal.show(lines: conflicts.map(\.path), endingIn: "\0")
        } else if Terminal.outputIsTerminal {
            try Terminal.show(lines: conflicts.map { "\($0.path): \($0.sentence)" })
        } else {
            try Terminal.show(lines: conflicts.map(\.path))
        }
    }
}

extension Conflict {
    fileprivate var sentence: String {
        switch kind {
        case .markers: "both versions are in it, between markers"
        case .keptBoth: "this device's version; the other one is \(other ?? "gone")"
        case .trashed: "changed on one side and deleted on the other; it is in the trash"
        }
    }
}
