import LockbookModel

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
        store.joinsChanges = true
    }

    /// The last commands on this device that changed something, the newest first.
    ///
    /// What merges did is not among them; what was done in what others share is.
    /// - Parameters:
    ///   - changes: how many changes of each are told, in each tree that it changed.
    ///   - unread: gets the links behind which cannot be looked, and why.
    public func commands(
        telling changes: Int = 3,
        unread: ((path: String, reason: LockbookError)) -> Void = { _ in }
    ) throws -> [ChangingCommand] {
        let shut = UnreadTrees()
        let commands = try commands(telling: changes, shut)
        try store.read { try shut.tell(in: $0, unread) }
        return commands
    }

    private func commands(telling changes: Int, _ unread: UnreadTrees) throws -> [ChangingCommand] {
        var byJoint: [[UInt8]: Int] = [:]
        var commands: [(turn: Int64, command: ChangingCommand)] = []
        let told = try askTrees(unread) { try $0.commands(telling: changes) }
        for (row, command) in told.flatMap(\.self) {
            guard let joint = row.joint else {
                commands.append((row.turn, command))
                continue
            }
            // One command, whatever trees it changed.
            if let index = byJoint[joint.id] {
                commands[index].command.join(command)
            } else {
                byJoint[joint.id] = commands.count
                commands.append((row.turn, command))
            }
        }
        // Those that an older program wrote down have no turn, and come last, by their times.
        return commands.sorted {
            ($0.turn, $0.command.time, $0.command.number)
                > ($1.turn, $1.command.time, $1.command.number)
        }.map(\.command)
    }

    /// Whether the last command changed more files than are kept for `undo`.
    /// - Parameter files: how many it changed at least.
    public func isTooLargeToUndo(files: Int) throws -> Bool {
        guard files > store.environment.undoneFileCount else { return false }
        return try commands(telling: 0).first?.obstacle == .large
    }

    /// Takes a command back by making the opposite change, which is a command as well: all or
    /// nothing, also where it changed several trees.
    /// - Parameters:
    ///   - number: the command; the last one without it, wherever it was.
    ///   - owner: whose tree it changed; nil for this account's.
    ///   - isDryRun: whether everything is only tried.
    /// - Throws: `.nothingToUndo`; `.cannotUndo` where a file was changed since; `.contentNotHere`;
    ///   why a tree cannot be looked into, where the command may be in it.
    /// - Returns: the command, with what became of its files now.
    public func undo(_ number: Int64? = nil, of owner: String? = nil, isDryRun: Bool = false) throws
        -> ChangingCommand
    {
        let unread = UnreadTrees()
        let newest = number == nil ? try commands(telling: 0, unread).first : nil
        let trees = try askTrees(unread) { $0 }
        // The last one of all, or a part of this one, may be where nobody can look.
        func requireAll() throws { if let reason = unread.first { throw reason } }
        if number == nil { try requireAll() }
        let tree = trees.first { $0.owner == (newest?.owner ?? owner) }
        if tree == nil { try requireAll() }
        guard let wanted = number ?? newest?.number, let tree,
            let command = try tree.lockbook.store.read({ try $0.command(wanted) })
        else { throw LockbookError.nothingToUndo(command: number) }
        var parts = [UndoPart(tree: tree, command: command)]
        if let joint = command.joint {
            try requireAll()
            parts = try trees.compactMap { tree in
                try tree.lockbook.store.read { try $0.command(joint) }
                    .map { UndoPart(tree: tree, command: $0) }
            }
            guard parts.count == joint.parts else {
                throw LockbookError.cannotUndo(
                    reason:
                        "it changed what others share as well, of which that is not kept any more"
                )
            }
        }
        return try undo(parts, isDryRun: isDryRun)
    }

    private func undo(_ parts: [UndoPart], isDryRun: Bool) throws -> ChangingCommand {
        struct Tried: Error {
            let command: ChangingCommand
        }
        // What comes back is there before its copy goes.
        let (first, last) = try (
            parts.filter { try !$0.isDeleting() }, parts.filter { try $0.isDeleting() }
        )
        let parts = first + last
        do {
            return try LocalStore.change(parts.map(\.tree.lockbook.store)) { trees in
                let done = try zip(parts, trees).map { part, tree in
                    try part.tree.own { try tree.undo(part.command.number) }
                }
                guard var command = done.first else {
                    throw LockbookError.nothingToUndo(command: nil)
                }
                for part in done.dropFirst() { command.join(part) }
                // What is thrown takes the transactions with it.
                if isDryRun { throw Tried(command: command) }
                return command
            }
        } catch let tried as Tried {
            return tried.command
        }
    }

    /// Asks this account's tree, and those of others.
    private func askTrees<Answer>(
        _ unread: UnreadTrees,
        _ ask: (UndoableTree) throws -> Answer
    ) throws -> [Answer] {
        try [ask(UndoableTree(lockbook: self, other: nil))]
            + askOthers(unread) { try ask(UndoableTree(lockbook: $0.lockbook, other: $0)) }
    }
}

/// A tree in which commands can be taken back.
private struct UndoableTree {
    let lockbook: Lockbook
    /// Nil of this account's own.
    let other: OtherTree?

    var owner: String? { other?.owner }

    func commands(telling changes: Int) throws -> [(row: CommandRow, command: ChangingCommand)] {
        try lockbook.store.read { tree in
            try tree.commands().map { row in
                let command = try ChangingCommand(
                    row,
                    tree.replacements(of: row.number, limit: changes).compactMap {
                        try tree.change(made: $0)
                    }
                )
                return (row, other?.own(command) ?? command)
            }
        }
    }

    /// Tells what is taken back, or what is in the way, as the user knows it.
    func own(_ body: () throws -> ChangingCommand) throws -> ChangingCommand {
        do {
            let command = try body()
            return other?.own(command) ?? command
        } catch let error as LockbookError {
            throw other?.own(error) ?? error
        }
    }
}

/// What a command changed in one tree.
private struct UndoPart {
    let tree: UndoableTree
    let command: CommandRow

    /// Whether taking it back deletes something: what it made, or took out of the trash.
    func isDeleting() throws -> Bool {
        try tree.lockbook.store.read { tree in
            try tree.replacements(of: command.number).contains { replacement in
                guard let before = replacement.before else { return true }
                return try FileRecord(before).facts.isDeleted
                    && !FileRecord(replacement.after).facts.isDeleted
            }
        }
    }
}

extension ChangingCommand {
    /// Takes in another part of the same command.
    fileprivate mutating func join(_ part: ChangingCommand) {
        files += part.files
        obstacle = obstacle ?? part.obstacle
        changes += part.changes
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
    /// - Parameter isOther: whether it changed another account's tree.
    func sentence(ofOther isOther: Bool) -> String {
        switch self {
        case .large: "it changed too many files"
        // What moved out of a share is gone from here as what was purged is.
        case .purged where isOther:
            "something that it changed was deleted for good, or is not shared with you any more"
        case .purged: "something that it changed was deleted for good"
        case .unshared: "something that it changed is not shared with you any more"
        case .damaged: "it replaced a file that does not open"
        case .shared: "it was about a share, which commands of `share` take back"
        }
    }
}
