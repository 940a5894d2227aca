/// An option that was typed, and that the command does not have.
struct UnknownOption {
    /// As it was typed, without its value.
    private let name: String

    private static let prefix = "Unknown option '"
    /// By which other programs are told to look into the folders below.
    private static let recursion = ["-r", "-R", "--recursive"]
    /// What other programs have to be told, and commands here do by themselves.
    private static let needless = [
        "search": [
            (recursion, "search goes into folders by itself"),
            (["-H", "--with-filename"], "each line has the path of its document in front"),
            (["-F", "--fixed-strings"], "the query is text as it stands already"),
            (
                ["-E", "-P", "-G", "--extended-regexp", "--perl-regexp"],
                "-e makes the query an expression"
            ),
            (["-L", "--files-without-match"], "search names what matches, and nothing else"),
        ],
        "copy": [(recursion, "folders are copied whole")],
        "import": [(recursion, "folders are taken in whole")],
        "export": [(recursion, "folders are exported whole")],
        "list": [(["-1"], "each file has a line of its own")],
        "new": [(["-p", "--parents"], "folders on the way are made as well")],
    ]

    /// - Parameter message: what the parser says about the words.
    /// - Returns: nil where something else is amiss.
    init?(in arguments: [String], told message: String) {
        guard !message.hasPrefix(Self.prefix) else {
            let rest = message.dropFirst(Self.prefix.count)
            // What the parser suggests is of nearly as many letters, whatever it means.
            let end = rest.firstRange(of: "'. Did you mean")?.lowerBound ?? rest.lastIndex(of: "'")
            name = String(rest[..<(end ?? rest.endIndex)])
            return
        }
        // The parser counts words before it looks at options, and so do commands.
        guard let option = Self.first(in: arguments),
            option.hasPrefix("--") || message.hasPrefix("Missing expected")
        else { return nil }
        name = option
    }

    /// The first word that looks like an option and is none of the command's.
    private static func first(in arguments: [String]) -> String? {
        var shape = CommandShape.root
        var known = [CommandShape.help] + shape.options
        for word in arguments {
            guard word != "--" else { return nil }
            if let next = shape.commands.first(where: { $0.names.contains(word) }) {
                shape = next
                known += next.optionsAlone
            }
            guard word.hasPrefix("-"), word.count > 1 else { continue }
            let name = word.prefix { $0 != "=" }
            // Letters stand together, with what the last of them wants.
            let isKnown = known.flatMap(\.names).contains {
                name == $0 || (!name.hasPrefix("--") && $0.count == 2 && name.hasPrefix($0))
            }
            if !isKnown { return String(name) }
        }
        return nil
    }

    /// What is said of it, with what was meant as far as that can be told.
    /// - Parameter path: the words of the command, the program's name first.
    func sentence(for path: [String]) -> String {
        "unknown option '\(name)'" + (advice(for: path).map { "; \($0)" } ?? "")
    }

    private func advice(for path: [String]) -> String? {
        if path.count == 2,
            let (_, what) = Self.needless[path[1]]?.first(where: { $0.0.contains(name) })
        {
            return what
        }
        let command = CommandShape.named(by: path.dropFirst())
        let meant = alike(among: (command.optionsAlone + [CommandShape.help]).flatMap(\.names))
            .map { "'\($0)'" }
        if let last = meant.last {
            let others = meant.dropLast().joined(separator: ", ")
            return "did you mean \(others.isEmpty ? last : "\(others) or \(last)")?"
        }
        if asksForHelp(command) { return "-h shows the help, and stands alone" }
        return name.hasPrefix("--") ? nil : "text or a name that begins with - comes after --"
    }

    /// Whether it is letters of the command's own, with that for help among them.
    private func asksForHelp(_ command: CommandShape) -> Bool {
        let known = (command.optionsAlone + [CommandShape.help]).flatMap(\.names)
        let letters = name.dropFirst()
        return letters.contains("h") && letters.allSatisfy { known.contains("-\($0)") }
    }

    /// The names that begin as it does, and only where none does that of nearly the same letters.
    ///
    /// Of a single letter that is the other one of the two, capital and small.
    private func alike(among names: [String]) -> [String] {
        let typed = name.lowercased()
        guard typed.hasPrefix("--") else { return names.filter { $0.lowercased() == typed } }
        let letters = typed.dropFirst(2)
        guard !letters.isEmpty else { return [] }
        let words = names.filter { $0.hasPrefix("--") }.map { String($0.dropFirst(2)) }
        var found = words.filter { $0.hasPrefix(letters) }
        if found.isEmpty, let near = nearest(to: String(letters), among: words) { found = [near] }
        return found.map { "--\($0)" }
    }
}
