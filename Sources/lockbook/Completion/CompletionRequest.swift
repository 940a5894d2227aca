import LockbookEngine

/// What a shell asks when Tab is pressed: `lockbook __complete SHELL INDEX WORD...`.
///
/// The words go from the program's name to the one at the cursor, unquoted; INDEX counts from 0.
/// The answer is records that end in NUL: `directive=space|nospace|files|folders`, then `VALUE` or
/// `VALUE<tab>DESCRIPTION`, where the value is the whole new word. A name never holds NUL or a tab.
struct CompletionRequest {
    private let root: CommandShape
    private(set) var command: CommandShape
    /// Where paths begin that have no slash in front.
    private let folder: ShellFolder
    /// The words before the cursor that are neither commands nor options.
    private(set) var given: [String] = []
    /// Set when the word before the cursor is an option that takes a value.
    private(set) var optionValue: CommandShape.Word?
    private var optionsEnded = false
    private var typed: String
    /// What stands in front of it in the same word: an option that takes it behind a `=`.
    private var lead = ""
    /// Whether `.` and `..` are steps: in this program's own shell, and nowhere else.
    private var takesSteps = true
    /// Whether the shell takes words that do not begin as typed.
    private var isLoose = false
    private var lockbook: Lockbook?

    init?(_ arguments: [String]) {
        guard arguments.count > 2, let index = Int(arguments[1]), index > 0 else { return nil }
        let words = arguments.dropFirst(2)
        guard index < words.count else { return nil }
        self.init(
            words: words.dropFirst().prefix(index - 1),
            typed: words[words.startIndex + index],
            root: .root,
            folder: ShellFolder()
        )
        takesSteps = false
        isLoose = ["zsh", "fish"].contains(arguments[0])
    }

    /// - Parameters:
    ///   - words: those in front of the cursor's, without the program's name.
    ///   - typed: the one at the cursor, up to it.
    init(
        words: some Sequence<String>,
        typed: String,
        root: CommandShape,
        folder: ShellFolder
    ) {
        self.root = root
        self.typed = typed
        self.folder = folder
        command = root
        for word in words {
            read(word)
        }
    }

    private mutating func read(_ word: String) {
        if let awaited = optionValue {
            if case .profile = awaited { Profile.choose(word) }
            optionValue = nil
        } else if word == "--", !optionsEnded {
            optionsEnded = true
        } else if word.hasPrefix("-"), word != "-", !optionsEnded {
            optionValue = command.options.first { $0.names.contains(word) }?.value
        } else if let next = command.commands.first(where: { $0.names.contains(word) }) {
            command = next
        } else {
            given.append(word)
        }
    }

    /// Answers; what it opened stays open as long as the request.
    mutating func answer() -> CompletionAnswer {
        splitOption()
        var answer = CompletionAnswer(lead: lead)
        if let optionValue {
            complete(optionValue, into: &answer)
        } else if typed.hasPrefix("-"), !optionsEnded {
            for option in command.options + [CommandShape.help] {
                // Of two names the long one, which says what it does.
                let name = option.names.first { $0.hasPrefix("--") && $0.hasPrefix(typed) }
                if let name = name ?? option.names.first(where: { $0 == typed }) {
                    answer.add(name, description: option.help)
                }
            }
        } else if !command.commands.isEmpty {
            addCommands(of: command, into: &answer)
        } else {
            complete(command.word(at: given.count), into: &answer)
        }
        return answer
    }

    /// Takes an option apart that has its value in the same word.
    private mutating func splitOption() {
        guard !optionsEnded, typed.hasPrefix("--"), let sign = typed.firstIndex(of: "=") else {
            return
        }
        let name = String(typed[..<sign])
        optionValue = command.options.first { $0.names.contains(name) }?.value ?? .nothing
        lead = name + "="
        typed = String(typed[typed.index(after: sign)...])
    }

    private mutating func complete(_ word: CommandShape.Word, into answer: inout CompletionAnswer) {
        switch word {
        case .nothing, .query, .newUser: break
        case .path: addPaths(into: &answer, onlyFolders: false)
        case .folder:
            // Behind files of the disk may come another one, or the folder they go to.
            if command.names == ["import"] { answer.directive = .files }
            addPaths(into: &answer, onlyFolders: true)
        case .trashed: addTrashed(into: &answer)
        case .conflict: addConflicts(into: &answer)
        case .user:
            lockbook = try? Lockbook.open()
            for name in (try? lockbook?.contacts()) ?? [] where name.hasPrefix(typed) {
                answer.add(name)
            }
        case .offer:
            lockbook = try? Lockbook.open()
            addOffers((try? lockbook?.offers()) ?? [], into: &answer)
        case .version: addVersions(into: &answer)
        case .undoable:
            lockbook = try? Lockbook.open()
            for command in (try? lockbook?.commands(telling: 1)) ?? []
            where command.isOpen && command.name.hasPrefix(typed) {
                answer.add(command.name, description: command.summary)
            }
        case .disk: answer.directive = .files
        case .profile:
            for name in (try? Settings.profiles()) ?? [] where name.hasPrefix(typed) {
                answer.add(name)
            }
        case .template: addTemplates(into: &answer)
        case .tag: addTags(into: &answer)
        case .setting:
            for key in SettingKey.allCases where key.rawValue.hasPrefix(typed) {
                answer.add(key.rawValue, description: key.help)
            }
        case .oneOf(let values):
            for value in values where value.hasPrefix(typed) {
                answer.add(value)
            }
        case .command:
            let shape = given.reduce(root) { shape, word in
                shape.commands.first { $0.names.contains(word) } ?? shape
            }
            addCommands(of: shape, into: &answer)
        case .name:
            guard let name = given.last?.utf8.split(separator: UInt8(ascii: "/")).last,
                name.starts(with: typed.utf8)
            else { return }
            answer.directive = .nospace
            answer.add(String(Substring(name)))
        }
    }

    private mutating func addTrashed(into answer: inout CompletionAnswer) {
        lockbook = try? Lockbook.open()
        // What went with its folder is asked for by whoever types the folder's path.
        let isInside = typed.utf8.dropFirst().contains(UInt8(ascii: "/"))
        for file in (try? lockbook?.trash(isRecursive: isInside)) ?? [] {
            guard folder.path == "/" || isRooted else {
                if let path = folder.relative(file.path), path.utf8.starts(with: typed.utf8) {
                    answer.add(path)
                }
                continue
            }
            addFromRoot(file.path, into: &answer)
        }
    }

    private mutating func addConflicts(into answer: inout CompletionAnswer) {
        lockbook = try? Lockbook.open()
        for conflict in (try? lockbook?.conflicts()) ?? [] {
            addFromRoot(conflict.path, into: &answer)
        }
    }

    /// Whether what is typed is a path with its first slash, which may be left out, or nothing yet.
    private var isRooted: Bool { typed.utf8.first == UInt8(ascii: "/") || typed.isEmpty }

    /// A path with its first slash, or without it where the user left it out.
    private func addFromRoot(_ path: String, into answer: inout CompletionAnswer) {
        let path = isRooted ? path : String(path.dropFirst())
        if path.utf8.starts(with: typed.utf8) { answer.add(path) }
    }

    private mutating func addVersions(into answer: inout CompletionAnswer) {
        lockbook = try? Lockbook.open()
        let document = given.last.map { FileReference(folder.absolute($0)) }
        let versions = document.flatMap { try? lockbook?.versionsHere($0) } ?? []
        for version in versions where version.version.hasPrefix(typed) {
            answer.add(version.version, description: localTime(milliseconds: version.time))
        }
    }

    private mutating func addTemplates(into answer: inout CompletionAnswer) {
        lockbook = try? Lockbook.open()
        for file in (try? lockbook?.list(.path(NoteTemplate.folder), recursive: false)) ?? []
        where file.type == .document {
            let name = file.name.hasSuffix(".md") ? String(file.name.dropLast(3)) : file.name
            if name.utf8.starts(with: typed.utf8) { answer.add(name) }
        }
    }

    private mutating func addTags(into answer: inout CompletionAnswer) {
        lockbook = try? Lockbook.open()
        let isMarked = typed.hasPrefix("#")
        for tag in (try? lockbook?.tags().found) ?? [] {
            let word = (isMarked ? "#" : "") + tag.tag
            let start = word.prefix(typed.count)
            // Capitals do not count: what is typed stays as it is, or bash would lose it.
            if start.lowercased() == typed.lowercased() {
                let spelled = typed + word.dropFirst(typed.count)
                answer.add(spelled, description: count(tag.documents, "document"))
            }
        }
    }

    /// Commands by their names; by their short names only when no other begins so.
    private func addCommands(of shape: CommandShape, into answer: inout CompletionAnswer) {
        let named = shape.commands.filter { $0.names[0].hasPrefix(typed) }
        for command in named {
            answer.add(command.names[0], description: command.abstract)
        }
        guard named.isEmpty else { return }
        for command in shape.commands {
            for name in command.names where name.hasPrefix(typed) {
                answer.add(name, description: command.abstract)
            }
        }
    }

    /// Offers by their owners and names; by their ids where one is typed, or no name says which.
    private func addOffers(_ offers: [ShareOffer], into answer: inout CompletionAnswer) {
        func spelled(_ offer: ShareOffer) -> String { "\(offer.from)/\(offer.name)" }
        let named = Dictionary(grouping: offers, by: spelled)
        for offer in offers {
            let name = spelled(offer)
            let isClear = named[name]?.count == 1 && !isDeceptive(name)
            if isClear, name.utf8.starts(with: typed.utf8) {
                let mode = offer.transfer ? "transfer" : offer.mode.rawValue
                answer.add(name, description: "\(mode), \(offer.id)")
            }
            if offer.id.hasPrefix(typed), !isClear || !typed.isEmpty {
                answer.add(offer.id, description: "\(offer.from): \(offer.name)")
            }
        }
    }

    /// One level of the tree.
    ///
    /// Silent when there is no account: a prompt is no place for an error.
    private mutating func addPaths(into answer: inout CompletionAnswer, onlyFolders: Bool) {
        lockbook = try? Lockbook.open()
        let (asked, prefix) = folder.asked(typed)
        // A command refuses them where they are no steps.
        guard takesSteps || prefix == nil else { return }
        guard var found = try? lockbook?.completions(of: asked) else { return }
        // Asked for again only then, so that a folder of thousands is read once for most keys.
        if found.isEmpty, isLoose, asked.utf8.last != UInt8(ascii: "/") {
            found = (try? lockbook?.completions(of: asked, isLoose: true)) ?? []
        }
        let isBelowID = typed.hasPrefix("id:") && typed.contains("/")
        for (found, isFolder) in found where isFolder || !onlyFolders {
            let value =
                prefix.map { $0.typed + String(Substring(found.utf8.dropFirst($0.asked))) } ?? found
            // A name at the root that would be read as an option or an id gets its slash.
            let looksLikeID = value.hasPrefix("id:") && !isBelowID
            let isMistakable =
                (value.utf8.first == UInt8(ascii: "-") && !optionsEnded && lead.isEmpty)
                || looksLikeID
            let isSlashed = isMistakable && (typed.isEmpty || looksLikeID)
            answer.add((isSlashed ? (folder.path == "/" ? "/" : "./") : "") + value)
        }
    }
}
