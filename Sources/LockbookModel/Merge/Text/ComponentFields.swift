/// The properties of a component of a calendar, or a contact, and the components in it, by name.
struct ComponentFields {
    /// Those of one name, in their order, without the ends of their lines.
    private var fields: [[UInt8]: [[UInt8]]] = [:]

    /// - Parameter component: from its `BEGIN` to its `END`.
    init(_ component: ArraySlice<UInt8>) {
        var cursor = LineCursor(component)
        var depth = 0
        var last: [UInt8] = []
        while let line = cursor.line() {
            guard let first = line.first else { continue }
            let isMore = first == 0x20 || first == 0x09
            let name = ComponentCheck.upper(line.prefix { $0 != 0x3A && $0 != 0x3B })
            let isStart = !isMore && name.elementsEqual("BEGIN".utf8)
            let isEnd = !isMore && name.elementsEqual("END".utf8)
            if isStart { depth += 1 }
            if isMore {
                add(line.dropFirst(), to: last, isNew: false)
            } else if depth == 1, !isStart, !isEnd {
                last = name
                add(line, to: last, isNew: true)
            } else if depth > 1 {
                if depth == 2, isStart { last = ComponentCheck.upper(line) }
                add(line + [0x0A], to: last, isNew: depth == 2 && isStart)
            }
            if isEnd { depth -= 1 }
        }
    }

    private mutating func add(_ line: ArraySlice<UInt8>, to name: [UInt8], isNew: Bool) {
        var values = fields[name, default: []]
        fields[name] = []
        if !isNew, let index = values.indices.last {
            values[index] += line
        } else {
            values.append(Array(line))
        }
        fields[name] = values
    }

    /// Whether each field is as the side has it that alone changed it.
    ///
    /// Of several of one name the ones at one place are versions of each other, as long as there
    /// are as many.
    func isMade(of base: Self, by local: Self, and remote: Self) -> Bool {
        Set([base, local, remote, self].flatMap(\.fields.keys)).allSatisfy { name in
            let (old, new) = (base.fields[name, default: []], fields[name, default: []])
            let (mine, theirs) = (local.fields[name, default: []], remote.fields[name, default: []])
            if [mine, theirs, new].allSatisfy({ $0.count == old.count }) {
                return old.indices.allSatisfy { at in
                    let versions = ThreeWay(base: old[at], local: mine[at], remote: theirs[at])
                    return versions.isDecidedAgainstLocal || new[at] == versions.merged
                }
            }
            return Set(old + mine + theirs + new).allSatisfy {
                Self.isMade($0, of: old, by: mine, and: theirs, in: new)
            }
        }
    }

    /// Whether a value is there, or not, as the side has it that alone added it or took it out.
    private static func isMade(
        _ value: [UInt8],
        of old: [[UInt8]],
        by mine: [[UInt8]],
        and theirs: [[UInt8]],
        in new: [[UInt8]]
    ) -> Bool {
        let (local, remote) = (mine.contains(value), theirs.contains(value))
        let versions = ThreeWay(base: old.contains(value), local: local, remote: remote)
        return new.contains(value) == versions.merged
    }
}
