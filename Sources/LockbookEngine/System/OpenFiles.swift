import Glibc
import LockbookProcess

/// How many files this process may hold open.
package enum OpenFiles {
    /// A store's database, its log, and what processes share of it; letting go of it starts a thread, which takes
    /// more than these.
    static let ofStore = 5
    /// What the runtime takes for itself as soon as work goes to other threads, besides what each opens.
    ///
    /// It may ask for one at any time from then on, and ends the process where it gets none.
    package static let ofThreads = 8 + 2 * sysconf(Int32(_SC_NPROCESSORS_ONLN))
    /// Those, and what connections take: the loop that waits for them, sockets, looking up a name.
    static let ofConnections = ofThreads + 12

    /// Whether work may go to other threads; asked once, before the first does.
    package static let allowThreads =
        hasRoom(for: ofThreads) && RoomForThreads.isThere(for: RoomForThreads.ofWork)

    /// How many at most, for who can do with fewer at once.
    static let most = min(raiseLimit(to: 4_096), 16_384)

    /// Raises the limit as far as that is allowed.
    /// - Returns: the limit now.
    @discardableResult
    static func raiseLimit(to wanted: Int) -> Int { DescriptorLimit.raise(to: wanted) }

    /// Sees that so many more files can be opened, for what would not survive it otherwise.
    /// - Throws: `.tooFewFiles`.
    static func need(_ count: Int) throws {
        guard hasRoom(for: count) else {
            throw LockbookError.tooFewFiles(limit: raiseLimit(to: 0))
        }
    }

    /// Whether so many more files can be opened, if need be under a raised limit.
    private static func hasRoom(for count: Int) -> Bool {
        // Not to the last one: the runtime may ask for its own next.
        if canOpen(count + ofThreads) { return true }
        // Beside those that are open already, and twice as much, since others are asked for soon.
        raiseLimit(to: min(raiseLimit(to: 0), 1 << 20) + 2 * count + 64)
        return canOpen(count)
    }

    private static func canOpen(_ count: Int) -> Bool {
        var taken: [Int32] = []
        defer {
            for descriptor in taken { close(descriptor) }
        }
        while taken.count < count {
            let descriptor = open("/", O_RDONLY | O_CLOEXEC)
            // Refused for another reason, it tells nothing about descriptors.
            guard descriptor >= 0 else { return errno != EMFILE && errno != ENFILE }
            taken.append(descriptor)
        }
        return true
    }
}
