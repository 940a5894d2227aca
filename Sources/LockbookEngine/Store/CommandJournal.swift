import GRDB
import LockbookModel
import Synchronization

/// The command that the changes of a store belong to.
struct OpenCommand {
    /// Whether the next change is one more of the same command.
    var joins = false
    var number: Int64?
    /// Whether contents are asked for no more once the server could not be reached.
    var asksUntilOffline = false
    /// Whether it could not be reached since then.
    var isOffline = false
}

/// Why a command cannot be taken back.
public enum UndoObstacle: String, Sendable, Codable, CaseIterable {
    /// It changed more files than are remembered.
    case large
    /// Something that it changed was deleted for good.
    case purged
    /// Something that it changed is not shared with this account any more.
    case unshared
    /// It replaced a file that does not open.
    case damaged
    /// It was about who sees something, which commands of its own take back.
    case shared
}

/// What one transaction of a command replaces.
struct CommandJournal {
    /// Of a command that changes more files nothing is kept: a copy of all records would cost more
    /// than it is worth.
    let limit: Int
    /// In the order of their first change.
    private(set) var files: [FileID] = []
    /// The records before; nil of a file that was made.
    private(set) var before: [FileID: [UInt8]?] = [:]
    private(set) var obstacle: UndoObstacle?

    init(limit: Int) { self.limit = limit }

    var isEmpty: Bool { files.isEmpty && obstacle == nil }

    /// Notes that a file is about to be changed, or made.
    mutating func note(_ id: FileID, _ row: FileRow?) {
        guard obstacle == nil, before.index(forKey: id) == nil else { return }
        guard row?.isDamaged != true else { return giveUp(.damaged) }
        guard files.count < limit else { return giveUp(.large) }
        files.append(id)
        before.updateValue(row?.current, forKey: id)
    }

    mutating func giveUp(_ obstacle: UndoObstacle) {
        self.obstacle = obstacle
        files = []
        before = [:]
    }
}

extension LocalStore {
    /// Whether all changes through this object are one command.
    var joinsChanges: Bool {
        get { command.withLock { $0.joins } }
        set { command.withLock { $0.joins = newValue } }
    }

    /// The command that the last change through this object was written down for.
    var openCommand: Int64? { command.withLock { $0.number } }

    /// Changes as `write` does, and keeps in the same transaction what `undo` needs.
    /// - Parameter isCommand: whether it is a command of its own, also where changes are joined.
    func change<Result>(
        isCommand: Bool = false,
        _ body: (LocalTree) throws -> Result
    ) throws -> Result {
        let open = command.withLock { $0.joins && !isCommand ? $0.number : nil }
        let turn = try Self.turn(in: [self])
        let (result, number) = try write { tree in
            tree.journal = tree.emptyJournal()
            let result = try body(tree)
            return (result, try tree.keepJournal(joining: open, turn))
        }
        command.withLock { $0.number = number }
        return result
    }

    /// Changes who sees something: a command that `undo` meets and refuses, rather than to take back
    /// an older one.
    func changeShares<Result>(_ body: (LocalTree) throws -> Result) throws -> Result {
        try change(isCommand: true) { tree in
            let result = try body(tree)
            tree.journal?.giveUp(.shared)
            return result
        }
    }
}
