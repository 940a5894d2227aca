import LockbookCrypto
import LockbookModel

/// The files that paths and ids name.
extension LocalTree {
    /// The names of a path, checked; a leading slash does not matter.
    static func names(of path: String) throws -> [FileName] {
        // By bytes: a character may be a slash and the mark that combines with it.
        try path.utf8.split(separator: UInt8(ascii: "/")).map { part in
            try name(String(decoding: part, as: UTF8.self))
        }
    }

    /// One name, checked.
    static func name(_ text: String) throws -> FileName {
        do {
            return try FileName(text)
        } catch {
            throw LockbookError.badName(name: text, reason: error.sentence)
        }
    }

    func rootRow() throws -> FileRow {
        guard let row = try row(root) else {
            guard try head() == nil else {
                try checkOwner()
                throw LockbookError.store(reason: "the root is missing")
            }
            try checkOwner()
            throw LockbookError.notSyncedYet
        }
        return row
    }

    /// Finds out when somebody put another account's database here.
    func checkOwner() throws {
        guard try row(root) == nil, try holds(atLeast: 1) else { return }
        throw LockbookError.store(
            reason: "the database in \(account.directory) is of another account"
        )
    }

    func child(_ name: FileName, of folder: FileRow) throws -> FileRow? {
        guard folder.type == .folder else { return nil }
        let tag = try folderKeys(of: folder).tag.tag(name.normalized)
        return try row(tagged: tag, in: folder.id)
    }

    /// A name that nothing else in the folder has: this one, or this one with a number.
    /// - Parameter file: what may have it.
    func freeName(_ name: FileName, in folder: FileRow, for file: FileID? = nil) throws -> FileName
    {
        var free = name
        var number = 0
        while let taken = try child(free, of: folder), taken.id != file {
            number += 1
            free = name.numbered(number)
        }
        return free
    }

    /// The file at a path; nil when there is none.
    func find(path: String) throws -> FileRow? { try find(path, below: rootRow(), typed: path) }

    /// - Parameters:
    ///   - start: what the path begins at, a folder or not.
    ///   - typed: all that names the file.
    private func find(_ path: String, below start: FileRow, typed: String) throws -> FileRow? {
        var row = start
        let names = try Self.names(of: path)
        for (index, name) in names.enumerated() {
            if row.type == .link, let crossing = try crossing(row) {
                let rest = names[index...].map { "/" + $0.text }.joined()
                throw CrossesLink(
                    target: crossing.target,
                    link: crossing.link,
                    rest: rest + (path.endsWithSlash ? "/" : "")
                )
            }
            guard row.type == .folder else { return nil }
            guard let child = try child(name, of: row) ?? damagedChild(name, of: row) else {
                return nil
            }
            row = child
        }
        guard !path.endsWithSlash || row.type != .document else {
            throw LockbookError.notAFolder(path: typed)
        }
        return row
    }

    /// The live file that a user means.
    func find(_ reference: FileReference) throws -> FileRow {
        switch reference {
        case .path(let path):
            guard let row = try find(path: path) else { throw LockbookError.notFound(path: path) }
            return row
        case .id(let text):
            let (row, rest) = try begin(id: text)
            guard let file = try find(rest, below: row, typed: reference.text) else {
                throw LockbookError.notFound(path: reference.text)
            }
            return file
        }
    }

    /// The live file that a user means; nil where none is there, or where it cannot be seen from here.
    /// - Throws: `.ambiguous`, `.badName`, and what comes of the store.
    func findReadable(_ reference: FileReference) throws -> FileRow? {
        do { return try find(reference) } catch LockbookError.notFound, LockbookError.notAFolder {
            return nil
        } catch {
            guard error is CrossesLink || error is DamagedRecord else { throw error }
            return nil
        }
    }

    /// What a user means that may not be there yet: where a path follows the id of a folder, the
    /// path from the root.
    /// - Throws: `.notFound` where nothing has the id, and `.ambiguous`.
    func resolved(_ reference: FileReference) throws -> FileReference {
        guard case .id(let text) = reference, !reference.isBareID else { return reference }
        let (row, rest) = try begin(id: text)
        let above = try path(of: row)
        return .path((above == "/" ? "" : above) + rest)
    }

    /// The live file whose id stands in front, and the path behind it.
    private func begin(id text: String) throws -> (row: FileRow, rest: String) {
        let (prefix, rest) = text.idAndPath
        let matches = try liveRows(idPrefix: prefix)
        let row = try matches.theOne(
            orNone: .notFound(path: "id:" + prefix),
            orSeveral: .ambiguous(
                prefix: "id:" + prefix,
                matches: try matches.map { "id:\($0.id)  \(try path(of: $0))" }
            )
        )
        return (row, rest)
    }

    /// Nobody reads the names of more.
    private static let mostRows = 32

    /// The live ones among the files whose ids begin like that, however many are in the trash.
    func liveRows(idPrefix prefix: String) throws -> [FileRow] {
        var live: [FileRow] = []
        try visitRows(idPrefix: prefix) { row in
            if try !isDead(row) { live.append(row) }
            return live.count < Self.mostRows
        }
        return live
    }

    func rows(idPrefix prefix: String, atMost most: Int = LocalTree.mostRows) throws -> [FileRow] {
        var rows: [FileRow] = []
        try visitRows(idPrefix: prefix) { row in
            rows.append(row)
            return rows.count < most
        }
        return rows
    }

    private func visitRows(idPrefix prefix: String, _ goesOn: (FileRow) throws -> Bool) throws {
        guard (1...32).contains(prefix.count), prefix.allSatisfy({ $0.isHexDigit }) else { return }
        let low = prefix + String(repeating: "0", count: 32 - prefix.count)
        let high = prefix + String(repeating: "f", count: 32 - prefix.count)
        guard let from = FileID(hex: low), let to = FileID(hex: high) else { return }
        try visitRows(idsFrom: from, to: to, goesOn)
    }
}

extension FileNameFailure {
    /// Why the name cannot be, for a user.
    var sentence: String {
        switch self {
        case .empty: "a name cannot be empty"
        case .tooLong(let bytes): "a name has at most 255 bytes, this one \(bytes)"
        case .slash: "a name cannot have a slash in it"
        case .controlCharacter: "a name cannot have control characters in it"
        case .relative: "`.` and `..` are not names"
        case .notUnicode: "the name is not UTF-8"
        }
    }
}
