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
    let folder: ShellFolder
    /// The words before the cursor that are neither commands nor options.
    private(set) var given: [String] = []
    /// Whether a version was asked for, of a document that need not be deleted.
    private var namesVersion = false
    /// The values that options in front of the cursor still wait for.
    private var awaited: [CommandShape.Word] = []
    /// Set when the word at the cursor is the value of an option.
    var optionValue: CommandShape.Word? { awaited.first }
    private(set) var optionsEnded = false
    private(set) var typed: String
    /// What stands in front of it in the same word: an option that takes it behind a `=`.
    private(set) var lead = ""
    /// Whether `.` and `..` are steps: in this program's own shell, and nowhere else.
    private(set) var takesSteps = true
    /// Whether the shell takes words that do not begin as typed.
    private(set) var isLoose = false
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
        if let value = optionValue {
            if case .profile = value { Profile.choose(word) }
            awaited.removeFirst()
        } else if word == "--", !optionsEnded {
            optionsEnded = true
        } else if word.hasPrefix("-"), word != "-", !optionsEnded {
            awaited = command.values(behind: word)
            // This program's own shell has no such option: it would go on with another account.
            if let profile = Profile.name(in: word), !profile.isEmpty,
                command.options.contains(where: { $0.names == CommandShape.profile.names })
            {
                Profile.choose(profile)
            }
            if word == "--version" || word.hasPrefix("--version=") { namesVersion = true }
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
            for option in command.optionsAlone + [CommandShape.help] {
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
        awaited = [command.options.first { $0.names.contains(name) }?.value ?? .nothing]
        lead = name + "="
        typed = String(typed[typed.index(after: sign)...])
    }

    /// What this device has, which stays open as long as the request; nil where it has no account: a prompt
    /// is no place for an error.
    mutating func open() -> Lockbook? {
        lockbook = try? Lockbook.open()
        return lockbook
    }

    private mutating func complete(_ word: CommandShape.Word, into answer: inout CompletionAnswer) {
        switch word {
        case .nothing, .query, .newUser: break
        case .path: addPaths(into: &answer, onlyFolders: false)
        case .folder:
            // Behind files of the disk may come another one, or the folder they go to.
            if command.names == ["import"] { answer.directive = .files }
            addPaths(into: &answer, onlyFolders: true)
        case .trashed:
            if namesVersion { addPaths(into: &answer, onlyFolders: false) }
            addTrashed(into: &answer)
        case .purged:
            addPaths(into: &answer, onlyFolders: true)
            addTrashed(into: &answer)
        case .conflict: addConflicts(into: &answer)
        case .user: addUsers(into: &answer)
        case .offer: addOffers(into: &answer)
        case .version: addVersions(into: &answer)
        case .undoable: addUndoable(into: &answer)
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
}
