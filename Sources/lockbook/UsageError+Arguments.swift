import ArgumentParser

extension UsageError {
    /// What the parser says about the words, and how they should be.
    init(_ arguments: [String], _ message: String) {
        let (command, path, _) = Self.walk(arguments)
        // Where none of its commands is named, one may be meant.
        let meant = command.configuration.defaultSubcommand ?? command
        let usage = LockbookCommand.usageString(for: meant)
        // Of letters that stand together the parser says two things; the second is what is amiss.
        let second = message.firstRange(of: "\n   or: ")
        let told = second.map { String(message[$0.upperBound...]) } ?? message
        let sentence =
            UnknownOption(in: arguments, told: told)?.sentence(for: path)
            ?? (told.hasSuffix(".") ? String(told.dropLast()) : told + Self.values(told, path))
        self.init(
            message: sentence.prefix(1).lowercased() + sentence.dropFirst(),
            hint: "usage: " + usage.replacing("Usage: ", with: "", maxReplacements: 1)
        )
    }

    /// What may stand behind an option, where the parser says only that something may not.
    private static func values(_ told: String, _ path: [String]) -> String {
        guard told.hasSuffix(">'"), let start = told.ranges(of: "' is invalid for '").last
        else { return "" }
        let name = String(told[start.upperBound...].prefix { $0 != " " })
        let options = CommandShape.named(by: path.dropFirst()).optionsAlone
        guard let help = options.first(where: { $0.names.contains(name) })?.help else { return "" }
        return ": " + help.prefix(1).lowercased() + help.dropFirst().dropLast()
    }

    /// A command that does not exist; nil when every word that should be a command is one.
    init?(unknownCommandIn arguments: [String]) {
        let (command, path, unknown) = Self.walk(arguments)
        guard let unknown else { return nil }
        self.init(unknown: unknown, in: path, among: command.subcommands)
    }

    /// A command that is nothing without one of its own behind it, as a line of cron that forgot it; nil
    /// for the program alone, which shows its help.
    init?(missingCommandIn arguments: [String]) {
        let (command, path, _) = Self.walk(arguments)
        guard path.count > 1, !command.subcommands.isEmpty else { return nil }
        let line = path.joined(separator: " ")
        let names = command.subcommands.map { $0.names[0] }.joined(separator: ", ")
        self.init(
            message: "`\(line)` needs a command: \(names)",
            hint: "`\(line) --help` shows what they do"
        )
    }

    /// A word behind the command whose help is asked for, which the parser would pass by; nil where there
    /// is none.
    init?(extraWordBehind arguments: [String]) {
        let (_, path, _) = Self.walk(arguments)
        guard let extra = arguments.dropFirst(path.count - 1).first, !extra.hasPrefix("-") else {
            return nil
        }
        let command = path.dropFirst().joined(separator: " ")
        self.init(
            message: "unexpected argument '\(extra)'",
            hint: "`lockbook help \(command)` shows the help of that command"
        )
    }

    /// What other programs call it.
    private static let usualWords = [
        "mkdir": "lockbook new NAME/", "touch": "lockbook new NAME", "add": "lockbook new NAME",
        "create": "lockbook new NAME", "insert": "lockbook new NAME",
        "vi": "lockbook edit NAME", "open": "lockbook edit NAME", "remove": "lockbook delete",
        "rmdir": "lockbook delete", "push": "lockbook sync", "pull": "lockbook sync",
        "init": "lockbook account new NAME", "register": "lockbook account new NAME",
        "signup": "lockbook account new NAME", "login": "lockbook account import",
        "logout": "lockbook account logout", "backup": "lockbook export / FOLDER",
        "show": "lockbook cat", "grep": "lockbook search", "rg": "lockbook search",
        "less": "lockbook cat NAME | less",
        "log": "lockbook history NAME", "whoami": "lockbook debug whoami",
        "version": "lockbook --version", "info": "lockbook list -l NAME",
        "revert": "lockbook restore --version VERSION NAME",
        "view": "lockbook cat", "read": "lockbook cat", "append": "lockbook write --append NAME",
        "mkbook": "lockbook new NAME/", "mknote": "lockbook new NAME",
        "daily": "lockbook today", "journal": "lockbook today", "settings": "lockbook config list",
        "undelete": "lockbook restore", "recover": "lockbook restore",
        "purge": "lockbook trash empty", "redo": "lockbook undo",
        "versions": "lockbook history NAME", "resolve": "lockbook conflicts resolve",
        "clone": "lockbook account import", "cd": "lockbook shell", "pwd": "lockbook shell",
        "invite": "lockbook share invite", "accept": "lockbook share accept",
        "unshare": "lockbook share revoke", "account create": "lockbook account new",
        "account login": "lockbook account import", "account info": "lockbook account status",
        "share add": "lockbook share new", "share delete": "lockbook share revoke",
        "trash purge": "lockbook trash empty", "trash clear": "lockbook trash empty",
    ]
    /// How a setting is changed elsewhere.
    private static let settingWords = ["set", "unset", "edit", "add", "remove"]

    /// Follows the words down the tree of commands, as far as they lead.
    private static func walk(
        _ arguments: [String]
    ) -> (command: any ParsableCommand.Type, path: [String], unknown: String?) {
        var command: any ParsableCommand.Type = LockbookCommand.self
        var path = ["lockbook"]
        for word in arguments {
            let subcommands = command.subcommands
            guard !subcommands.isEmpty, !word.hasPrefix("-") else { break }
            guard let next = subcommands.first(where: { $0.names.contains(word) }) else {
                return (command, path, word)
            }
            command = next
            path.append(next.names[0])
        }
        return (command, path, nil)
    }

    private init(
        unknown word: String,
        in path: [String],
        among commands: [any ParsableCommand.Type]
    ) {
        let names = commands.flatMap { $0.names }
        // All of them are written small.
        let small = word.lowercased()
        // Who stopped before the end of a name wrote nothing wrong.
        let begins = names.filter { $0.hasPrefix(small) }.min { $0.count < $1.count }
        let meant = begins ?? nearest(to: small, among: names)
        let line = path.joined(separator: " ")
        let usual = (path.dropFirst() + [small]).joined(separator: " ")
        if let meant = Self.usualWords[usual] {
            self.init(message: "no command `\(word)`", hint: "did you mean `\(meant)`?")
            return
        }
        if path == ["lockbook", "config"], Self.settingWords.contains(small) {
            self.init(
                message: "no command `\(word)`",
                hint: "settings are written into the file that `lockbook config path` names; "
                    + "`man 5 lockbook-config` has them all"
            )
            return
        }
        self.init(
            message: "no command `\(word)`",
            hint: meant.map { "did you mean `\(line) \($0)`?" }
                ?? "`\(line) --help` shows all commands"
        )
    }
}

extension ParsableCommand {
    static var names: [String] {
        [configuration.commandName ?? ""] + configuration.aliases
    }

    static var subcommands: [any ParsableCommand.Type] {
        configuration.subcommands + configuration.groupedSubcommands.flatMap { $0.subcommands }
    }
}
