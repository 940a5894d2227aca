import Glibc

/// Values by paths or names of the disk, where each other byte is another one.
///
/// For a dictionary of strings two names are one that differ only in how an accent is written.
struct PathMap<Value> {
    private var map: [PathKey: Value] = [:]

    var isEmpty: Bool { map.isEmpty }
    var count: Int { map.count }
    var keys: some Collection<String> { map.keys.lazy.map(\.text) }
    var values: Dictionary<PathKey, Value>.Values { map.values }

    subscript(path: String) -> Value? {
        get { map[PathKey(path)] }
        set { map[PathKey(path)] = newValue }
    }

    subscript(path: String, default fallback: @autoclosure () -> Value) -> Value {
        get { map[PathKey(path), default: fallback()] }
        _modify { yield &map[PathKey(path), default: fallback()] }
    }

    mutating func reserveCapacity(_ count: Int) { map.reserveCapacity(count) }

    /// Those whose paths are wanted.
    func filter(_ isWanted: (String) throws -> Bool) rethrows -> Self {
        var wanted = Self()
        wanted.map = try map.filter { try isWanted($0.key.text) }
        return wanted
    }

    func mapValues<Other>(_ transform: (Value) throws -> Other) rethrows -> PathMap<Other> {
        var other = PathMap<Other>()
        other.map = try map.mapValues(transform)
        return other
    }
}

extension PathMap: Sequence {
    func makeIterator() -> some IteratorProtocol<(key: String, value: Value)> {
        map.lazy.map { (key: $0.key.text, value: $0.value) }.makeIterator()
    }
}

extension PathMap: ExpressibleByDictionaryLiteral {
    init(dictionaryLiteral elements: (String, Value)...) {
        for (path, value) in elements { self[path] = value }
    }
}

extension PathMap: Sendable where Value: Sendable {}

extension PathMap: Equatable where Value: Equatable {}

/// Paths or names of the disk, as in `PathMap`.
struct PathSet: Equatable, Sendable, ExpressibleByArrayLiteral {
    private var paths: Set<PathKey> = []

    init() {}

    init(_ paths: some Sequence<String>) {
        self.paths = Set(paths.lazy.map(PathKey.init))
    }

    init(arrayLiteral paths: String...) { self.init(paths) }

    var isEmpty: Bool { paths.isEmpty }
    var count: Int { paths.count }

    func contains(_ path: String) -> Bool { paths.contains(PathKey(path)) }

    /// - Returns: whether it was not among them.
    @discardableResult mutating func insert(_ path: String) -> Bool {
        paths.insert(PathKey(path)).inserted
    }

    mutating func formUnion(_ other: PathSet) { paths.formUnion(other.paths) }
}

extension PathSet: Sequence {
    func makeIterator() -> some IteratorProtocol<String> { paths.lazy.map(\.text).makeIterator() }
}

/// A string that is equal only to one of the same bytes.
struct PathKey: Hashable, Comparable, Sendable {
    let text: String

    init(_ text: String) { self.text = text }

    static func == (left: PathKey, right: PathKey) -> Bool {
        var (one, other) = (left.text, right.text)
        return one.withUTF8 { one in
            other.withUTF8 { other in
                guard one.count == other.count, let left = one.baseAddress,
                    let right = other.baseAddress
                else { return one.isEmpty && other.isEmpty }
                return memcmp(left, right, one.count) == 0
            }
        }
    }

    /// In the order of a walk: a folder, what stands in it, and then what stands beside it.
    static func < (left: PathKey, right: PathKey) -> Bool {
        var (one, other) = (left.text, right.text)
        return one.withUTF8 { one in
            other.withUTF8 { other in
                let count = min(one.count, other.count)
                guard let index = (0..<count).first(where: { one[$0] != other[$0] }) else {
                    return one.count < other.count
                }
                // No byte of a name comes before the end of a step.
                let slash = UInt8(ascii: "/")
                return one[index] == slash || other[index] != slash && one[index] < other[index]
            }
        }
    }

    func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        hasher.combine(0xff as UInt8)
    }
}
