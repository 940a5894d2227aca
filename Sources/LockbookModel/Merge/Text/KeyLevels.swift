/// A key that stands a second time, or once more, at one level of a document.
struct RepeatedKey: Equatable {
    let name: [UInt8]
    /// Where in the document it stands first at this level, and where again.
    let first: Int
    let again: Int
}

/// The keys of a document by the levels they stand at: a table, a map, a point of a list.
struct KeyLevels {
    private struct Key: Hashable {
        let level: Int
        let name: [UInt8]
    }

    /// The level of the document itself.
    static let top = 0

    /// More keys than that, or longer ones, are not kept: who reads them says nothing then.
    private static let countLimit = 1 << 18
    static let lengthLimit = 256

    private(set) var repeated: [RepeatedKey] = []
    private(set) var isFull = false
    private var seen: [Key: Int] = [:]
    private var inner: [Key: Int] = [:]
    private var count = 1

    /// A level that nothing stands at yet.
    mutating func new() -> Int {
        defer { count += 1 }
        return count
    }

    /// The level inside of a key, the same each time it is asked for.
    mutating func level(of name: [UInt8], in level: Int) -> Int {
        inner[Key(level: level, name: name)] ?? newLevel(of: name, in: level)
    }

    /// A new level inside of a key, that takes the place of the one before.
    mutating func newLevel(of name: [UInt8], in level: Int) -> Int {
        let new = new()
        inner[Key(level: level, name: name)] = new
        if inner.count > Self.countLimit || name.count > Self.lengthLimit { isFull = true }
        return new
    }

    mutating func add(_ name: [UInt8], to level: Int, at place: Int) {
        let key = Key(level: level, name: name)
        if let first = seen[key] {
            repeated.append(RepeatedKey(name: name, first: first, again: place))
        } else {
            seen[key] = place
        }
        fill(with: name)
    }

    /// Adds a key that is there already in another way.
    mutating func addAgain(_ name: [UInt8], first: Int, at place: Int) {
        repeated.append(RepeatedKey(name: name, first: first, again: place))
        fill(with: name)
    }

    private mutating func fill(with name: [UInt8]) {
        if seen.count + repeated.count > Self.countLimit || name.count > Self.lengthLimit {
            isFull = true
        }
    }
}

/// Goes through a text line by line.
struct LineCursor {
    let bytes: ArraySlice<UInt8>
    /// Where the next line starts.
    var next: Int

    init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        next = bytes.startIndex
    }

    /// The next line without what ends it.
    mutating func line() -> ArraySlice<UInt8>? {
        guard next < bytes.endIndex else { return nil }
        let start = next
        let end = bytes[start...].firstIndex(of: 0x0A) ?? bytes.endIndex
        next = min(end + 1, bytes.endIndex)
        let hasReturn = end > start && bytes[end - 1] == 0x0D
        return bytes[start..<(hasReturn ? end - 1 : end)]
    }
}

extension ArraySlice<UInt8> {
    /// Without the spaces and tabs it begins with.
    var withoutIndentation: ArraySlice<UInt8> {
        drop { $0 == 0x20 || $0 == 0x09 }
    }

    /// Without the spaces and tabs it ends with.
    var withoutTrail: ArraySlice<UInt8> {
        self[startIndex..<(lastIndex { $0 != 0x20 && $0 != 0x09 }.map { $0 + 1 } ?? startIndex)]
    }
}
