/// Paths as bytes: a character of Swift's may be a slash and the mark that combines with it.
extension String {
    /// Whether this is the path of what stands in a folder, at any depth.
    /// - Parameter folder: without a slash at its end.
    func isBelow(_ folder: String) -> Bool {
        var rest = utf8[...]
        guard rest.starts(with: folder.utf8) else { return false }
        rest = rest.dropFirst(folder.utf8.count)
        return rest.first == UInt8(ascii: "/")
    }

    /// Without so many bytes at its beginning, which end where a character of UTF-8 does.
    func behind(_ beginning: String) -> String {
        String(Substring(utf8.dropFirst(beginning.utf8.count)))
    }

    /// The folder that something stands in, empty where a path has one step, and its name there.
    var folderAndName: (folder: String, name: String) {
        guard let slash = utf8.lastIndex(of: UInt8(ascii: "/")) else { return ("", self) }
        return (
            String(Substring(utf8[..<slash])), String(Substring(utf8[utf8.index(after: slash)...]))
        )
    }

    /// Whether this is a path from the root, and no id.
    var beginsWithSlash: Bool { utf8.first == UInt8(ascii: "/") }

    /// Whether a path can only mean a folder.
    var endsWithSlash: Bool { utf8.last == UInt8(ascii: "/") }

    /// The id in front of a path, and the path with its slash: empty where none follows.
    var idAndPath: (id: String, path: String) {
        let end = utf8.firstIndex(of: UInt8(ascii: "/")) ?? endIndex
        return (String(Substring(utf8[..<end])), String(Substring(utf8[end...])))
    }

    /// Whether a path of the disk means what a folder holds, as `FOLDER/.` does.
    var meansContents: Bool { self == "." || utf8.suffix(2).elementsEqual("/.".utf8) }

    /// Whether a path is a name alone.
    var isOneStep: Bool { !utf8.contains(UInt8(ascii: "/")) }

    /// The steps of a path.
    var steps: [String] {
        utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }
    }
}

extension [String] {
    /// Which paths of the disk say what an earlier one does, as `./a` behind `a`.
    ///
    /// What links make one is not told.
    package var repeatedPaths: Set<Int> {
        // By bytes: two names may differ only in how an accent is written.
        var seen: Set<[[UInt8]]> = []
        return Set(
            indices.filter { index in
                let path = self[index]
                let start = path.utf8.first == UInt8(ascii: "/") ? "/" : ""
                let end = path.meansContents ? "/." : ""
                let words = [start] + path.steps.filter { $0 != "." } + [end]
                return !seen.insert(words.map { [UInt8]($0.utf8) }).inserted
            }
        )
    }
}
