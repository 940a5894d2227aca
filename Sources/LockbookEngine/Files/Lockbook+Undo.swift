import LockbookModel
import Synchronization

/// A command on this device that changed something.
public struct ChangingCommand: Sendable, Equatable, Codable {
    /// What became of one file.
    public struct Change: Sendable, Equatable, Codable {
        /// 32 hexadecimal digits.
        public var id: String
        /// Where the file is afterwards, or stood when it was deleted.
        public var path: String
        /// Where it was before, when that is another path.
        public var from: String?
        public var change: FileVersion.Change
    }

    /// By which it is asked for; a later command has a larger one.
    public var number: Int64
    /// Whose tree it changed, where that is another account's; numbers count for each tree.
    public var owner: String?
    /// When it ended its first change, as this device's clock had it: milliseconds since 1970.
    public var time: Int64
    /// How many files it changed; 0 where that was not kept.
    public var files: Int
    /// Why it cannot be taken back, however the files are now.
    public var obstacle: UndoObstacle?
    public var changes: [Change]
}

extension Lockbook {
    /// From now on all changes made through this object are one command for `undo`; without it
    /// each method that changes something is one.
    public func joinChanges() {
        store.command.withLock { $0.joins = true }
    }

    /// The last commands on this device that changed something, the newest first.
    ///
    /// What merges did is not among them; what was done in what others share is.
    /// - Parameter changes: how many changes of each are told.
    public func commands(telling changes: Int = 3) throws -> [ChangingCommand] {
        let behind = try otherTrees().flatMap { other in
            try other.lockbook.commandsHere(telling: changes).map(other.own)
        }
        let here = try commandsHere(telling: changes)
        if behind.isEmpty { return here }
        return (here + behind).sorted { ($0.time, $0.number) > ($1.time, $1.number) }
    }

    private func commandsHere(telling changes: Int) throws -> [ChangingCommand] {
        try store.read { tree in
            try tree.commands().map { command in
                try ChangingCommand(
                    command,
                    tree.replacements(of: command.number, limit: changes).compactMap {
                        try tree.change(made: $0)
                    }
                )
            }
        }
    }

    /// Takes a command back by making the opposite change, which is a command as well: all or
    /// nothing.
    /// - Parameters:
    ///   - number: the command; the last one without it, wherever it was.
    ///   - owner: whose tree it changed; nil for this account's.
    ///   - isDryRun: whether everything is only tried.
    /// - Throws: `.nothingToUndo`; `.cannotUndo` where a file was changed since; `.contentNotHere`.
    /// - Returns: the command, with what became of its files now.
    public func undo(_ number: Int64? = nil, of owner: String? = nil, isDryRun: Bool = false) throws
        -> ChangingCommand
    {
        let owner = number == nil ? try commands(telling: 0).first?.owner : owner
        guard let owner else { return try undoHere(number, isDryRun: isDryRun) }
        guard let other = try otherTrees().first(where: { $0.owner == owner }) else {
            throw LockbookError.nothingToUndo(command: number)
        }
        do {
            return other.own(try other.lockbook.undoHere(number, isDryRun: isDryRun))
        } catch let error as LockbookError {
            throw other.own(error)
        }
    }

    private func undoHere(_ number: Int64?, isDryRun: Bool) throws -> ChangingCommand {
        struct Tried: Error {
            let command: ChangingCommand
        }
        do {
            return try store.change(isCommand: true) { tree in
                let command = try tree.undo(number)
                // What is thrown takes the transaction with it.
                if isDryRun { throw Tried(command: command) }
                return command
            }
        } catch let tried as Tried {
            return tried.command
        }
    }
}

extension ChangingCommand {
    init(_ row: CommandRow, _ changes: [Change]) {
        self.init(
            number: row.number,
            time: row.time,
            files: Int(row.files),
            obstacle: row.obstacle,
            changes: changes
        )
    }
}

extension UndoObstacle {
    /// Why a command cannot be taken back, for a user.
    var sentence: String {
        switch self {
        case .large: "it changed more than \(CommandJournal.mostFiles) files"
        case .purged: "something that it changed was deleted for good"
        case .damaged: "it replaced a file that does not open"
        }
    }
}
