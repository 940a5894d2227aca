import GRDB
import LockbookCrypto
import LockbookModel

extension LocalTree {
    /// Writes what a merge decided: the server's records as the new base, and what differs from
    /// them as changes of this device.
    func apply(
        _ plan: MergePlan,
        news: [FileID: File],
        records: [FileID: FileRecord],
        local: [FileID: File],
        keys later: [FileID: FileKey],
        over overruled: [OverruledRecord],
        damaged: [FileID: FileRecord],
        saves: [FileID: [CarriedSave]]
    ) throws {
        var touched: [FileID: File] = [:]
        for (id, file) in plan.files where !plan.removed.contains(id) {
            if news[id] != nil || local[id].map({ !$0.isSame(as: file) }) ?? true {
                touched[id] = file
            }
        }
        try releasePlaces(of: Set(touched.keys).union(news.keys))
        // What somebody wrote nonsense over may have left its name to something else.
        let written = Array(damaged.values) + overruled.map(\.record)
        try releasePlaces(
            of: Set(
                written.filter { try row($0.facts.id).map { $0.base } != $0.bytes }.map(\.facts.id)
            )
        )
        for id in plan.removed.sorted() {
            if let row = try row(id) { try forget(row) }
        }
        try noteJoined(plan.joined, of: local)
        // Rows in the order of their ids, not of a table that differs from process to process.
        for (id, file) in news.sorted(by: { $0.key < $1.key }) {
            guard let record = records[id] else { continue }
            try rebase(file, on: record, keeping: touched[id])
        }
        // From here on the rows are those of the new keys.
        if !later.isEmpty {
            fileKeys.merge(later) { _, new in new }
            folderKeys = [:]
        }
        try overrule(overruled, as: touched)
        // Folders before what stands in them: sealing a file takes the key of its folder.
        let changes = touched.filter { id, file in news[id].map { !$0.isSame(as: file) } ?? true }
        for id in parentsFirst(changes) {
            if let file = changes[id] { try put(try file.placed(in: self)) }
        }
        for (id, saves) in saves.sorted(by: { $0.key < $1.key }) { try keep(saves, of: id) }
    }

    /// Takes the server's record as the base of a file, and as the file when nothing differs.
    private func rebase(_ remote: File, on record: FileRecord, keeping merged: File?) throws {
        let row = try row(remote.id)
        // A deletion made elsewhere counts from now, also of what was in the trash before.
        if remote.isDeleted { try forgetTrashed(remote.id) }
        if let row { try keepReplaced(row, by: (merged ?? remote).content) }
        try dropOldBase(of: row, for: remote, merged)
        try markContent(of: merged ?? remote)
        if let merged, !merged.isSame(as: remote) {
            try putBase(remote, row: row, record: record)
        } else {
            try store(
                remote,
                row: row,
                tag: record.facts.nameTag,
                base: record.bytes,
                local: nil,
                isDamaged: false
            )
        }
    }

    /// The base alone; the merged file is put on top of it afterwards.
    private func putBase(_ remote: File, row: FileRow?, record: FileRecord) throws {
        if let row {
            try db.cachedStatement(
                sql:
                    "UPDATE file SET base = ?, local = NULL, parent = ?, damaged = 0 WHERE number = ?"
            ).run(record.bytes.data, remote.parent.bytes.data, row.number)
        } else {
            try db.cachedStatement(
                sql: """
                    INSERT INTO file (id, parent, tag, type, deleted, base)
                    VALUES (?, ?, ?, ?, 1, ?)
                    """
            ).run(
                remote.id.bytes.data,
                remote.parent.bytes.data,
                record.facts.nameTag.bytes.data,
                Int(remote.type.rawValue),
                record.bytes.data
            )
            notePresent(remote.id)
        }
    }

    /// A content that is not here yet is noted, to be fetched.
    func markContent(of file: File) throws {
        // What is in the trash is fetched when it is wanted.
        if let content = file.content, !file.isDeleted, try !hasBlob(content.blob) {
            try markAbsent(file.id, blob: content.blob, size: content.blobSize)
        } else if file.type == .document {
            try clearAbsent(file.id)
        }
    }

    private func dropOldBase(of row: FileRow?, for remote: File, _ merged: File?) throws {
        guard let row, let base = row.base, let old = try FileRecord(base).facts.blob?.name,
            old != remote.content?.blob, old != merged?.content?.blob
        else { return }
        try dropBlob(old)
    }

    /// Frees the names and index places of everything that will be written.
    func releasePlaces(of ids: Set<FileID>) throws {
        let release = try db.cachedStatement(
            sql: "UPDATE file SET deleted = 1, block = NULL WHERE number = ?"
        )
        for id in ids {
            guard let row = try row(id) else { continue }
            if let block = row.block { try unindex(id, from: row.parent, at: block) }
            try release.run(row.number)
        }
    }

    func parentsFirst(_ files: [FileID: File]) -> [FileID] { parentsFirst(files, of: \.parent) }

    func parentsFirst<Item>(_ files: [FileID: Item], of parent: KeyPath<Item, FileID>) -> [FileID] {
        var order: [FileID] = []
        var done: Set<FileID> = []
        for start in files.keys.sorted() {
            var path: [FileID] = []
            var id = start
            while let file = files[id], done.insert(id).inserted {
                path.append(id)
                id = file[keyPath: parent]
            }
            order.append(contentsOf: path.reversed())
        }
        return order
    }
}

extension File {
    /// With the epochs and the scope of the folder that it stands in now.
    func placed(in tree: LocalTree) throws -> File {
        guard id != tree.root, try !isTop(in: tree) else { return self }
        guard let folder = try tree.row(parent) else {
            throw LockbookError.store(reason: "a folder is missing above a file")
        }
        var file = self
        file.parentEpoch = try tree.epoch(of: folder)
        // A shared file begins a scope of its own, wherever it stands.
        if scope != id { file.scope = try tree.scope(of: folder) }
        return file
    }
}
