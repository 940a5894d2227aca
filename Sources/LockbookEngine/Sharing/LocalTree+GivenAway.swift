import LockbookCrypto
import LockbookModel

/// What another device of this account let go of, as it is seen before anything is merged.
extension LocalTree {
    /// Those of these files that were deleted because they have another owner now.
    ///
    /// What is in them is still there, behind a link. The account itself deleted them, its address book
    /// says that a transfer of them ended since, and a new link to what the new owner shares stands in
    /// their place. Where one of these is not so, as after the link was moved on, it is a deletion
    /// like any other.
    func givenAway(_ news: [FileID: FileRecord]) throws -> Set<FileID> {
        guard !isForeign, news[root] != nil else { return [] }
        let files = try RemoteRecords(news, in: self).files.filter { $0.value.author == owner }
        guard let book = files[root].flatMap({ try? AddressBook($0.bodyExtension) }) else {
            return []
        }
        let links = try files.values.filter { file in
            try file.type == .link && !file.isDeleted && row(file.id) == nil
        }
        var given: Set<FileID> = []
        for transfer in book.transfers where !transfer.isOpen {
            guard let file = files[transfer.file], file.isDeleted,
                try self.transfer(of: file.id)?.number ?? 0 < transfer.number
            else { continue }
            let hasLink = links.contains { link in
                link.target?.owner == transfer.heir && link.parent == file.parent
                    && link.name == file.name
            }
            if hasLink { given.insert(file.id) }
        }
        return given
    }
}
