import LockbookCrypto
import LockbookModel

/// What files are called whose own names do not open.
extension LocalTree {
    /// By its id, as nothing else in its folder is called: ids and names are both others' to choose.
    func nameOfDamaged(_ row: FileRow) throws -> FileName? {
        // What is shared stands by its id alone in the store of what others share.
        if isForeign, row.parent == root { return try? FileName("\(row.id)") }
        let start = row.id.description.prefix(DirectoryBlock.damagedDigitCount)
        let isAlone = try rows(idPrefix: String(start)).count == 1
        guard let name = DirectoryBlock.damagedName(row.id, isWhole: !isAlone) else { return nil }
        do {
            guard let folder = try self.row(row.parent) else { return name }
            return try freeName(name, in: folder, for: row.id)
        } catch is DamagedRecord {
            // Nothing in it has a name that opens.
            return name
        }
    }

    /// What a listing of the folder calls by this name because its own does not open.
    func damagedChild(_ name: FileName, of folder: FileRow) throws -> FileRow? {
        if isForeign, folder.id == root {
            guard let id = FileID(hex: name.text), let row = try top(id), row.isDamaged else {
                return nil
            }
            return row.isDeleted ? nil : row
        }
        let prefix = DirectoryBlock.damagedPrefix
        guard name.text.hasPrefix(prefix) else { return nil }
        let digits = name.text.dropFirst(prefix.count).prefix { $0.isHexDigit }
        // Fewer digits would mean many files, on the way to every path that is not there.
        guard digits.count >= DirectoryBlock.damagedDigitCount else { return nil }
        return try rows(idPrefix: String(digits)).first { row in
            try row.isDamaged && !row.isDeleted && row.parent == folder.id
                && nameOfDamaged(row) == name
        }
    }

    /// The children of a folder as they are shown, in no order: by names that differ.
    func shownEntries(of folder: FileID, contents: Bool = true) throws -> [DirectoryEntry] {
        var entries = try entries(of: folder, contents: contents)
        for index in entries.indices where entries[index].isDamaged {
            guard let row = try row(entries[index].id) else { continue }
            entries[index].name = try name(of: row)
        }
        return entries
    }
}
