import FoundationEssentials
import GRDB
import LockbookCrypto
import LockbookModel

/// One row of the `file` table.
struct FileRow {
    let number: Int64
    let id: FileID
    let parent: FileID
    let tag: Hash256
    let type: FileType
    let isDeleted: Bool
    let block: Int?
    let isDamaged: Bool
    let base: [UInt8]?
    let local: [UInt8]?

    static let columns = "number, id, parent, tag, type, deleted, block, damaged, base, local"

    init(_ row: Row) throws {
        guard let id = FileID(row.bytes(1)), let parent = FileID(row.bytes(2)),
            let tag = Hash256(row.bytes(3)),
            let type = FileType(rawValue: UInt8(clamping: row[4] as Int))
        else { throw LockbookError.store(reason: "the database holds a row that is no file") }
        number = row[0]
        self.id = id
        self.parent = parent
        self.tag = tag
        self.type = type
        isDeleted = row[5]
        block = row[6]
        isDamaged = row[7]
        base = row.optionalBytes(8)
        local = row.optionalBytes(9)
    }

    /// The record of the local tree.
    var current: [UInt8]? { local ?? base }

    var isChanged: Bool { local != nil }

    /// Whether it is the content of the file here, or as it was agreed.
    func has(_ blob: BlobName) throws -> Bool {
        try [local, base].compactMap(\.self).contains {
            try FileRecord($0).facts.blob?.name == blob
        }
    }
}

extension Row {
    /// The bytes of a column; none for NULL.
    func bytes(_ index: Int) -> [UInt8] {
        optionalBytes(index) ?? []
    }

    func optionalBytes(_ index: Int) -> [UInt8]? {
        // Of a cursor's row the bytes are copied once, from SQLite's own.
        try? withUnsafeData(atIndex: index) { $0.map { Array($0) } }
    }
}

extension Statement {
    /// Reads the first row where SQLite has it, without a copy; nil when there is none.
    func first<Result>(_ arguments: StatementArguments, _ read: (Row) throws -> Result) throws
        -> Result?
    {
        let rows = try Row.fetchCursor(self, arguments: arguments)
        // The row is gone with its cursor.
        return try withExtendedLifetime(rows) { try rows.next().map(read) }
    }

    /// Reads all rows where SQLite has them, each without a copy.
    func all<Result>(_ arguments: StatementArguments, _ read: (Row) throws -> Result) throws
        -> [Result]
    {
        let rows = try Row.fetchCursor(self, arguments: arguments)
        var results: [Result] = []
        while let row = try rows.next() { results.append(try read(row)) }
        return results
    }

    /// Reads the ids of files in the first column.
    func fileIDs(_ arguments: StatementArguments = []) throws -> [FileID] {
        try all(arguments) { FileID($0.bytes(0)) }.compactMap(\.self)
    }

    /// Runs the statement with these values.
    func run(_ values: (any DatabaseValueConvertible)?...) throws {
        try execute(arguments: StatementArguments(values))
    }
}
