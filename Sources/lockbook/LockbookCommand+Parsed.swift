import ArgumentParser

/// One command as if there was no other.
///
/// Whose root has a command above it, the parser does not look for words that ask for its own completion
/// scripts, which alone takes it longer than to read a command.
private struct Alone<Command: ParsableCommand>: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(_superCommandName: "lockbook", subcommands: [Command.self])
    }
}

extension LockbookCommand {
    /// The command that words name, with what they give it.
    ///
    /// The parser makes the names of all commands before it reads the first word, so the one that is named
    /// is read by itself. Words that make no sense so are read once more among all, for what is said of
    /// them, and for help.
    static func parsed(_ arguments: [String]) throws -> any ParsableCommand {
        let arguments = JoinedValue.split(arguments)
        var command: any ParsableCommand.Type = self
        var rest = arguments[...]
        while let word = rest.first,
            let next = command.subcommands.first(where: { $0.names.contains(word) })
        {
            command = next
            rest = rest.dropFirst()
        }
        let words = Array(rest)
        if let line = LongLine(words), let command = command as? any TakesManyOperands.Type {
            if let parsed = command.parsedAlone(line) { return parsed }
            // What is amiss is nearly always so without most of the operands, and told in no time.
            _ = try parseAsRoot(Array(arguments.dropLast(words.count)) + line.words)
        } else if command.subcommands.isEmpty, let parsed = command.parsedAlone(words) {
            return parsed
        }
        return try parseAsRoot(arguments)
    }
}

extension ParsableCommand {
    /// - Returns: nil where it is not this command that the words ask for, or not in a way that it knows.
    fileprivate static func parsedAlone(_ arguments: [String]) -> Self? {
        try? Alone<Self>.parseAsRoot([names[0]] + arguments) as? Self
    }
}

extension TakesManyOperands {
    /// - Returns: nil where the words make no sense so; the parser says why when it has all of them.
    fileprivate static func parsedAlone(_ line: LongLine) -> Self? {
        guard var command = parsedAlone(line.words),
            let operands = line.filled(command[keyPath: Self.operands])
        else { return nil }
        command[keyPath: Self.operands] = operands
        // It has not seen those that were left out.
        guard (try? command.validate()) != nil else { return nil }
        return command
    }
}
