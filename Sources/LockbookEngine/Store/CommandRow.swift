import GRDB
import LockbookModel

/// A command that changed something.
struct CommandRow {
    let number: Int64
    var time: Int64 = 0
    var files: Int64 = 0
    var bytes: Int64 = 0
    var obstacle: UndoObstacle?
    /// Where it changed other trees as well.
    var joint: JointCommand?
    /// Which of the commands on this device it was; 0 where an older program wrote it down.
    var turn: Int64 = 0

    static let columns = "id, at, files, bytes, obstacle, joint, parts, turn"

    init(number: Int64) {
        self.number = number
    }

    init(_ row: Row) {
        number = row[0]
        time = row[1]
        files = row[2]
        bytes = row[3]
        obstacle = (row[4] as String?).flatMap { UndoObstacle(rawValue: $0) }
        joint = row.optionalBytes(5).map { JointCommand(id: $0, parts: row[6]) }
        turn = row[7]
    }
}

/// A record that a command replaced, and the one that it put in its place.
struct Replacement {
    let place: Int64
    let file: FileID
    /// Nil of a file that the command made.
    let before: [UInt8]?
    let after: [UInt8]
    /// The file's key in the epoch of `after`, sealed for this device; nil where an older program
    /// wrote it down.
    var key: [UInt8]?

    static let columns = "place, file, before, after, key"

    init(place: Int64, file: FileID, before: [UInt8]?, after: [UInt8]) {
        self.place = place
        self.file = file
        self.before = before
        self.after = after
    }

    init?(_ row: Row) {
        guard let file = FileID(row.bytes(1)) else { return nil }
        self.init(place: row[0], file: file, before: row.optionalBytes(2), after: row.bytes(3))
        key = row.optionalBytes(4)
    }
}
