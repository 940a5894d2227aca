/// Paths of the disk, and which of them others are in; of two in one another the outer one counts.
struct PathTops: Sendable {
    /// In the order of a walk, none in another one.
    private var tops: [PathKey] = []

    init() {}

    /// - Parameter paths: an empty one, which all are in, is left out.
    init(_ paths: some Sequence<String>) {
        for path in paths.map(PathKey.init).sorted() where !path.text.isEmpty {
            if tops.last.map({ !Self.holds($0, path.text) }) ?? true { tops.append(path) }
        }
    }

    /// The one that a path is, or is in, however deep; nil where there is none.
    func above(_ path: String) -> String? {
        let wanted = PathKey(path)
        var (first, end) = (0, tops.count)
        while first < end {
            let middle = (first + end) / 2
            if wanted < tops[middle] { end = middle } else { first = middle + 1 }
        }
        // In a walk nothing but what is in it stands between a folder and what is in it.
        guard end > 0, Self.holds(tops[end - 1], path) else { return nil }
        return tops[end - 1].text
    }

    private static func holds(_ top: PathKey, _ path: String) -> Bool {
        top == PathKey(path) || path.isBelow(top.text)
    }
}
