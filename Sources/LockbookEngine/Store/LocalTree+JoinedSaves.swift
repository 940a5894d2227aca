import LockbookCrypto
import LockbookModel

/// What a document said here before a merge made it one with another, sealed for that one.
struct JoinedSave {
    let content: Content
    /// As it was when it said that.
    let file: File
    /// When it was replaced, in milliseconds.
    let at: Int64
}

/// Both devices made a document of one name: what was saved on this one until then becomes the history
/// of the one that stays.
extension LocalTree {
    /// By the document that stays; to be asked for before the folders go in which the others stand.
    func saves(
        joinedBy plan: MergePlan,
        _ news: [FileID: File]
    ) throws -> [FileID: [JoinedSave]] {
        var saves: [FileID: [JoinedSave]] = [:]
        for (id, other) in plan.joined.sorted(by: { $0.key < $1.key }) {
            guard let row = try row(id) else { continue }
            let isSame = plan.files[other]?.content == news[other]?.content
            saves[other, default: []] += try self.saves(of: row, joining: other, isSame)
        }
        return saves
    }

    /// - Parameters:
    ///   - other: the document that stays.
    ///   - isSame: whether that says already what this one says now.
    private func saves(of row: FileRow, joining other: FileID, _ isSame: Bool) throws
        -> [JoinedSave]
    {
        // The newest comes first there, and is kept last.
        var versions = try openKept(of: row).reversed().map { (file: $0.file, at: $0.at) }
        if !isSame {
            versions.append((file: try file(row), at: environment.now().milliseconds))
        }
        return try versions.compactMap { version in
            guard let content = version.file.content else { return nil }
            do {
                return JoinedSave(
                    content: try reseal(content, of: version.file, for: other),
                    file: version.file,
                    at: version.at
                )
            } catch let error as LockbookError where error.concernsOneFile {
                // The disk, or who may open it, may give it another time.
                if case .unreadableContent = error { throw error }
                // What cannot be read any more is nothing that could be kept.
                return nil
            }
        }
    }

    func keep(_ saves: [JoinedSave], of id: FileID) throws {
        guard let row = try row(id) else { return }
        let now = try file(row)
        for save in saves {
            var file = now
            file.content = save.content
            (file.name, file.isExecutable) = (save.file.name, save.file.isExecutable)
            (file.created, file.modified) = (save.file.created, save.file.modified)
            (file.author, file.device) = (save.file.author, save.file.device)
            file.deviceName = save.file.deviceName
            try keepVersion(sealedAsBefore(file, of: row), key(of: row), at: save.at)
        }
        try trimVersions(of: row)
    }

    /// The record of something that a file was, under the keys that it has now.
    private func sealedAsBefore(_ file: File, of row: FileRow) throws -> FileRecord {
        let key = try key(of: row)
        let now = try record(of: row)
        var file = file
        file.epoch = now.facts.epoch
        return try FileRecord(
            sealing: file,
            owner: owner,
            key: key,
            previous: now.carriedKey(key, random: environment.random),
            in: folderKeys(above: row),
            random: environment.random
        )
    }
}
