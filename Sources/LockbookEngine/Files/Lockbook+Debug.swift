import GRDB
import LockbookCrypto
import LockbookModel

extension Lockbook {
    /// Checks everything this device holds, of what others share too.
    /// - Returns: a sentence for each thing that is wrong; none when all is sound.
    public func validate() throws -> [String] {
        let unread = UnreadTrees()
        var problems = try validateHere()
        problems += try askOthers(unread) { try $0.lockbook.validateHere() }.flatMap(\.self)
        try store.read { tree in
            try unread.tell(in: tree) { problems.append("\($0.path): \($0.reason.finding)") }
        }
        return problems
    }

    private func validateHere() throws -> [String] {
        try store.read { tree in
            var problems: [String] = []
            let result = try String.fetchOne(tree.db, sql: "PRAGMA integrity_check") ?? ""
            if result != "ok" {
                // Of a page that it cannot have the check says the number, and goes on.
                if tree.db.isUnread() { throw DatabaseError(resultCode: .SQLITE_IOERR_READ) }
                problems.append("the database is damaged: \(result)")
            }
            let rows = try Row.fetchCursor(
                tree.db,
                sql: "SELECT \(FileRow.columns) FROM file"
            )
            var rooted: Set<FileID> = [tree.root]
            while let row = try rows.next() {
                let file = try FileRow(row)
                do {
                    try tree.check(file, &rooted, &problems)
                } catch let error as DamagedRecord {
                    problems.append("id:\(file.id) does not open: \(error.words)")
                } catch let error as DecodingFailure {
                    problems.append("id:\(file.id) cannot be read: \(error.words)")
                } catch let error as LockbookError {
                    problems.append("id:\(file.id): \(error.finding)")
                }
            }
            return problems
        }
    }

    /// What is known of one file, field by field.
    public func debugInfo(_ reference: FileReference) throws -> [(String, String)] {
        try across(reference) {
            try debugInfoHere(reference)
        } there: { place in
            try place.lockbook.debugInfo(place.reference).map { field, value in
                (field, field == "path" ? place.own(value) : value)
            }
        }
    }

    private func debugInfoHere(_ reference: FileReference) throws -> [(String, String)] {
        try store.read { tree in
            let row = try tree.find(reference)
            let facts = try tree.record(of: row).facts
            var fields = [
                ("id", "\(row.id)"), ("path", try tree.path(of: row)),
                ("type", FileInfo.Kind(row.type).rawValue), ("parent", "\(facts.parent)"),
                ("scope", "\(facts.scope)"), ("epoch", "\(facts.epoch)"),
                ("parent epoch", "\(facts.parentEpoch)"), ("author", try tree.author(of: row)),
                ("device", "\(facts.device)"), ("synced", row.base == nil ? "never" : "yes"),
                ("changed here", row.isChanged ? "yes" : "no"),
            ]
            guard !row.isDamaged else { return fields + [("damaged", "yes")] }
            let file = try tree.file(row)
            fields.append(("device name", DeviceName.plain(file.deviceName)))
            if let content = file.content {
                fields.append(("size", "\(content.size)"))
                fields.append(("compression", "\(content.compression)"))
                fields.append(("blob", "\(content.blob)"))
                fields.append(("blob size", "\(content.blobSize)"))
                fields.append(("here", try tree.hasBlob(content.blob) ? "yes" : "no"))
            }
            return fields
        }
    }
}

extension LocalTree {
    /// Checks one row: that it opens, where it stands, its index entry and its content.
    /// - Parameter rooted: files from which the root was reached.
    fileprivate func check(
        _ row: FileRow,
        _ rooted: inout Set<FileID>,
        _ problems: inout [String]
    ) throws {
        guard !row.isDamaged else {
            problems.append("id:\(row.id) is damaged, by \(try author(of: row))")
            return
        }
        let file = try file(row)
        if file.parent != row.parent || file.isDeleted != row.isDeleted || file.type != row.type {
            problems.append("id:\(row.id): its record and its row differ")
        }
        if row.id != root {
            guard let parent = try self.row(row.parent), parent.type == .folder else {
                problems.append("id:\(row.id) has no folder")
                return
            }
            let tag = try folderKeys(of: parent).tag.tag(file.name.normalized)
            if tag != row.tag { problems.append("id:\(row.id): its name tag is wrong") }
            if !row.isDeleted {
                let entry = try entries(of: row.parent, block: row.block)
                    .first { $0.id == row.id }
                let isRight =
                    entry?.name == file.name && entry?.content == file.content
                    && entry?.modified == file.modified
                    && entry?.isExecutable == file.isExecutable && entry?.type == file.type
                if !isRight {
                    problems.append("id:\(row.id): the directory index is wrong")
                }
            }
            if try isInCycle(row, &rooted) { problems.append("id:\(row.id) is in a cycle") }
        }
        guard let content = file.content else { return }
        if case .here(var reader) = try openContent(of: file, path: "id:\(row.id)") {
            var size: UInt64 = 0
            try reader.readAll { size += UInt64($0.count) }
            if size != content.size { problems.append("id:\(row.id): its content is cut short") }
        } else if try !file.isDeleted && !isAbsent(row.id) {
            // What is in the trash need not be here.
            problems.append("id:\(row.id): its content is missing")
        }
    }

    private func isInCycle(_ row: FileRow, _ rooted: inout Set<FileID>) throws -> Bool {
        var seen: Set<FileID> = []
        var row = row
        while !rooted.contains(row.id) {
            guard seen.insert(row.id).inserted else { return true }
            guard let parent = try self.row(row.parent) else { return false }
            row = parent
        }
        rooted.formUnion(seen)
        return false
    }
}

extension LockbookError {
    /// What was found, where the file is named already.
    fileprivate var finding: String {
        switch self {
        case .damaged: "its content does not open"
        case .store(let reason, _), .integrity(let reason, _): reason
        case .damagedStore: "the database is damaged"
        case .io(let path, let reason), .unreadableContent(_, let path, let reason):
            "\(path): \(reason)"
        default: "\(self)"
        }
    }
}
