/// The folder that the shell stands in, and what paths mean there.
struct ShellFolder {
    /// With a slash in front and none behind, but for the root.
    private(set) var path = "/"

    /// A path from the root for what was typed; `.` and `..` are no names, so they are steps.
    ///
    /// A slash at the end stays, for it says that a folder is meant. Ids stay as they are.
    func absolute(_ typed: String) -> String {
        guard !typed.hasPrefix("id:") else { return typed }
        let slash = UInt8(ascii: "/")
        var steps: [String.UTF8View.SubSequence] = []
        if typed.utf8.first != slash { steps = path.utf8.split(separator: slash) }
        for step in typed.utf8.split(separator: slash) {
            switch String(Substring(step)) {
            case ".": break
            case "..": _ = steps.popLast()
            default: steps.append(step)
            }
        }
        let joined = "/" + steps.map { String(Substring($0)) }.joined(separator: "/")
        let last = typed.utf8.split(separator: slash, omittingEmptySubsequences: false).last
        let namesFolder = last.map { ["", ".", ".."].contains(String(Substring($0))) } ?? false
        return namesFolder && joined != "/" ? joined + "/" : joined
    }

    mutating func enter(_ folder: String) {
        path = folder.utf8.count > 1 && folder.hasSuffix("/") ? String(folder.dropLast()) : folder
    }
}

extension ShellFolder {
    /// The words of a command with every path of the lockbook in them made one from the root.
    ///
    /// Which words are paths is what completion knows. `list`, `tree` and `search` are about this
    /// folder when they name none.
    func absolute(_ words: [String], in root: CommandShape) -> [String] {
        var command = root
        // The shell does not offer the program's own, which may stand in front of a command all the same.
        command.options = CommandShape.root.options
        var names: [String] = []
        var result: [String] = []
        var places: [Int] = []
        var optionsEnded = false
        var awaited: [CommandShape.Word] = []
        var namesPlace = false
        for word in words {
            if let kind = awaited.first {
                awaited.removeFirst()
                namesPlace = namesPlace || kind.isPath(word)
                result.append(absolute(word, as: kind))
            } else if word == "--", !optionsEnded {
                optionsEnded = true
                result.append(word)
            } else if word.hasPrefix("-"), word != "-", !optionsEnded {
                let joined = absolute(option: word, of: command)
                namesPlace = namesPlace || joined != nil
                awaited = word.contains("=") ? [] : command.values(behind: word)
                result.append(joined ?? word)
            } else if places.isEmpty,
                let next = command.commands.first(where: { $0.names.contains(word) })
            {
                command = next
                names.append(next.names[0])
                result.append(word)
            } else {
                places.append(result.count)
                result.append(word)
            }
        }
        for (position, place) in places.enumerated() {
            let isLast = position == places.count - 1
            // What comes from the disk stands before the folder it goes to.
            let kind =
                names == ["import"]
                ? (isLast && position > 0 ? .folder : .disk) : command.word(at: position)
            result[place] = absolute(result[place], as: kind)
        }
        let needed = [["list"]: 0, ["tree"]: 0, ["search"]: 1]
        if path != "/", !namesPlace, needed[names] == places.count {
            result.append(path)
        }
        return result
    }

    /// An option with its value behind a `=`; nil where that is no path.
    private func absolute(option word: String, of command: CommandShape) -> String? {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let kind = command.values(behind: String(parts[0])).first,
            kind.isPath(String(parts[1]))
        else { return nil }
        return "\(parts[0])=\(absolute(String(parts[1])))"
    }

    private func absolute(_ word: String, as kind: CommandShape.Word) -> String {
        kind.isPath(word) ? absolute(word) : word
    }
}

extension CommandShape.Word {
    /// Whether a word that stands here is a path of the lockbook; an empty one is none, and refused as such.
    fileprivate func isPath(_ word: String) -> Bool {
        switch self {
        case .path, .folder, .trashed, .purged, .conflict: !word.isEmpty
        // Without a slash it is the name of one.
        case .template: word.contains("/")
        default: false
        }
    }
}

extension ShellFolder {
    /// What to ask the lockbook for when a path is typed up to here.
    /// - Returns: the path, and what stands for its folder in the typed one; nil when both begin
    ///   alike. `asked` counts bytes.
    func asked(_ typed: String) -> (path: String, prefix: (typed: String, asked: Int)?) {
        let bytes = Array(typed.utf8)
        let slash = bytes.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0
        let lead = String(decoding: bytes[..<slash], as: UTF8.self)
        let isPlain = !lead.utf8.split(separator: UInt8(ascii: "/")).contains {
            [".", ".."].contains(String(Substring($0)))
        }
        guard !isPlain || (path != "/" && bytes.first != UInt8(ascii: "/")) else {
            return (typed, nil)
        }
        var place = absolute(lead)
        if !place.hasSuffix("/") { place += "/" }
        let leaf = String(decoding: bytes[slash...], as: UTF8.self)
        return (place + leaf, (lead, place.utf8.count))
    }

    /// A path as it is called from here; nil for what is elsewhere.
    func relative(_ absolute: String) -> String? {
        let prefix = path == "/" ? "/" : path + "/"
        guard absolute.utf8.starts(with: prefix.utf8) else { return nil }
        return String(Substring(absolute.utf8.dropFirst(prefix.utf8.count)))
    }
}
