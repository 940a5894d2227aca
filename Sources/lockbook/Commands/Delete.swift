import ArgumentParser
import LockbookEngine

struct Delete: ParsableCommand, FollowedBySync {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Delete files",
        discussion: """
            A folder goes with everything in it; on a terminal this asks first, unless --recursive \
            or --force is given. All are deleted or none; with --force what is not there does not \
            count, unless it is in the trash and was to be purged. Deleted files are in the trash for 30 days. With --permanent they are gone for \
            good, from the server and every other device with the next sync: on a terminal this \
            asks, --recursive or not, unless --force is given, which it has to be without one.
            """,
        aliases: ["rm"]
    )

    @Argument(help: "The documents and folders.")
    var targets: [String]

    @Flag(name: .shortAndLong, help: "Do not ask, and do not mind what is not there.")
    var force = false

    @Flag(name: .shortAndLong, help: "Do not ask before a folder goes.")
    var recursive = false

    @Flag(help: "Purge them: nothing brings them back.")
    var permanent = false

    func run() throws {
        let lockbook = try Lockbook.open()
        var references = targets.map(FileReference.init)
        if !force { references.warnOfRepeated() }
        if permanent {
            // What is in the trash is there to be purged, which another command does.
            if force {
                let missing = try references.filter { try !lockbook.has($0) }
                let passed = try Set(missing).subtracting(lockbook.inTrash(missing))
                references.removeAll { passed.contains($0) }
            }
            try purge(references, in: lockbook)
            return
        }
        if force {
            references = try references.filter { try lockbook.has($0) }
        } else if !recursive, Terminal.canAsk {
            for reference in references {
                let children = try lockbook.childCount(reference)
                guard children > 0 else { continue }
                try Question.confirm(
                    "delete \(reference.text) and \(count(children, "file")) in it?",
                    otherwise: "nothing was deleted"
                )
            }
        }
        if !references.isEmpty {
            _ = try lockbook.delete(references)
        }
    }

    private func purge(_ references: [FileReference], in lockbook: Lockbook) throws {
        guard !references.isEmpty else { return }
        let what = references.map(\.text).joined(separator: ", ")
        _ = try Purging.run(force: force) {
            // Who may not is told so, and not asked.
            let inside = try lockbook.countPurged(in: references)
            let more = inside > 0 ? " and \(count(inside, "file")) in it" : ""
            return (what: what + more, files: inside + references.count)
        } purge: {
            try lockbook.purge(references, atMost: $0)
        }
    }
}

extension Lockbook {
    fileprivate func has(_ reference: FileReference) throws -> Bool {
        do {
            _ = try info(reference)
            return true
        } catch LockbookError.notFound {
            return false
        }
    }
}
