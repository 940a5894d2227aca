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
    /// What merges did is not among them.
    /// - Parameter changes: how many changes of each are told.
    public func commands(telling changes: Int = 3) throws -> [ChangingCommand] {
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
    ///   - number: the command; the last one without it.
    ///   - isDryRun: whether everything is only tried.
    /// - Throws: `.nothingToUndo`; `.cannotUndo` where a file was changed since; `.contentNotHere`.
    /// - Returns: the command, with what became of its files now.
    public func undo(_ number: Int64? = nil, isDryRun: Bool = false) throws -> ChangingCommand {
        struct Tried: Error {
            let command: ChangingCommand
        }
        if number == nil { try refuseToPassShares() }
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

extension Lockbook {
    /// The last command must not be taken for an earlier one: in what others share nothing is taken
    /// back yet.
    private func refuseToPassShares() throws {
        let own = try commands(telling: 0).first?.time ?? 0
        for owner in try store.read({ try $0.followed() }) {
            guard let other = try shared(by: owner),
                let time = try other.commands(telling: 0).first?.time, time > own
            else { continue }
            throw LockbookError.cannotUndo(
                reason: "it changed what another account shares"
            )
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
