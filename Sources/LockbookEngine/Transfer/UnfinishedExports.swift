import Glibc
import Synchronization

/// Where exports of this process have files and folders that are not in their places yet.
///
/// They are plaintext: who stops an export by a signal does not want them to stay.
final class UnfinishedExports: Sendable {
    static let shared = UnfinishedExports()

    private struct State {
        /// By the path of a folder how the names in it begin.
        var names: PathMap<PathSet> = [:]
        var isStopped = false
    }

    private let state = Mutex(State())

    /// Makes something, unless all is being removed: then it never returns, as the process ends.
    /// - Parameters:
    ///   - folder: where it is made.
    ///   - beginning: of its name; nil for what is in a folder that goes as a whole.
    func make<Made>(
        in folder: DiskFile,
        named beginning: String?,
        _ body: () throws -> sending Made
    ) throws -> sending Made {
        try state.withLock { state in
            while state.isStopped { pause() }
            if let beginning { state.names[folder.path, default: []].insert(beginning) }
            return try body()
        }
    }

    /// Removes all of them, and keeps new ones from being made.
    func removeAll() {
        state.withLock { state in
            state.isStopped = true
            for (path, beginnings) in state.names {
                guard
                    let folder = try? DiskFile(path, flags: O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
                else { continue }
                for bytes in (try? Disk.names(in: folder)) ?? [] {
                    let name = String(decoding: bytes, as: UTF8.self)
                    guard beginnings.contains(where: { name.hasPrefix($0) }) else { continue }
                    if unlinkat(folder.descriptor, name, 0) != 0 {
                        Disk.removeTree(name, in: folder)
                    }
                }
            }
        }
    }
}

extension Lockbook {
    /// Removes what the exports of this process have not put in its place yet.
    ///
    /// For a process that is about to end by a signal: none of them goes on.
    public static func removeUnfinishedExports() {
        UnfinishedExports.shared.removeAll()
    }
}
