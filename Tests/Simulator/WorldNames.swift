import Synchronization

/// Names for the folders of worlds that exist at the same time.
enum WorldNames {
    private static let count = Mutex(0)

    static func next() -> String {
        count.withLock { count in
            count += 1
            return "w\(count)"
        }
    }
}
