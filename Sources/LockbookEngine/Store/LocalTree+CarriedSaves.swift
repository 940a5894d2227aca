import LockbookCrypto
import LockbookModel

/// What a document said here, sealed for another one that takes its place.
struct CarriedSave {
    let content: Content
    /// As it was when it said that.
    let file: File
    /// When it was replaced, in milliseconds.
    let at: Int64
}

/// What was saved of a document before a sync goes along when another one takes its place on this device.
extension LocalTree {
    /// The oldest first, as they are kept; to be asked for before the document goes.
    /// - Parameters:
    ///   - document: one of them, where the other document says that.
    ///   - path: where it stands, for what fails.
    ///   - source: the tree that it stands in, where that is another one.
    func saves(
        of row: FileRow,
        besides document: File? = nil,
        at path: String,
        in source: LocalTree? = nil,
        for other: FileID
    ) throws -> [CarriedSave] {
        try (source ?? self).openKept(of: row).reversed().compactMap { kept in
            guard kept.file.content?.identity != document?.content?.identity else { return nil }
            do {
                return try carried(kept, at: path, in: source, to: other)
            } catch LockbookError.unreadableContent {
                // The disk may give it another time, for which nothing else here can wait.
                return nil
            }
        }
    }

    /// - Returns: nil where that cannot be read any more: it is nothing that could be kept.
    /// - Throws: `.unreadableContent` with the path.
    func carried(
        _ kept: OpenedKept,
        at path: String,
        in source: LocalTree? = nil,
        to other: FileID
    ) throws -> CarriedSave? {
        let file = kept.file
        guard let content = file.content else { return nil }
        do {
            guard case .here(let reader) = try (source ?? self).openContent(of: file, path: path)
            else { return nil }
            return CarriedSave(
                content: try reseal(content, from: reader, for: other),
                file: file,
                at: kept.at
            )
        } catch let error as LockbookError where error.concernsOneFile {
            // The disk, or who may open it, may give it another time.
            if case .unreadableContent = error { throw error }
            return nil
        }
    }

    func keep(_ saves: [CarriedSave], of id: FileID) throws {
        guard !saves.isEmpty, let row = try row(id) else { return }
        let now = try file(row)
        for save in saves {
            var file = now
            file.content = save.content
            // At the top of what others share it was called by its id.
            if save.file.name.text != save.file.id.description { file.name = save.file.name }
            file.isExecutable = save.file.isExecutable
            // Its place in the trash is that of what it says now.
            file.isDeleted = false
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
