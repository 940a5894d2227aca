import ArgumentParser
import LockbookEngine

struct ConflictsList: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Show what merges could not decide",
        discussion: """
            What a merge on this device left in two versions, or put in the trash because the \
            other side had deleted it, and what came with markers from another device's merge, in \
            documents of up to 1 MiB. It is shown until `lockbook conflicts resolve` decides it, \
            or an edit, a deletion or a restoring does. Into a pipe: one path per line.
            """
    )

    @OptionGroup var output: PathOutput

    func run() throws {
        try PathOutput.show(Lockbook.open().conflicts(unread:), as: show)
    }

    private func show(_ conflicts: [Conflict]) throws {
        let repeated = RepeatedPaths(conflicts.map(\.path))
        try output.show(conflicts, path: \.path) { conflict in
            let path = repeated.told(conflict.path, conflict.id)
            return Terminal.outputIsTerminal ? "\(path): \(conflict.sentence)" : path
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
