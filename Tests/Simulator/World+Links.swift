import LockbookEngine

/// What is behind links in the trees of a world.
extension World {
    /// Every file that a user sees; after a link to a document, that document in its place.
    func visible(_ lockbook: Lockbook) throws -> [FileInfo] {
        let files = try lockbook.list(.path("/"), recursive: true)
        guard plan.isSharing else { return files }
        return try files.flatMap { file in
            guard file.type == .link, let document = try behind(file.path, lockbook) else {
                return [file]
            }
            return [file, document]
        }
    }

    /// Whether there is a link to what is not shared with this account: one that was restored.
    func leadsNowhere(_ lockbook: Lockbook) throws -> Bool {
        try lockbook.list(.path("/"), recursive: true).contains { file in
            guard file.type == .link else { return false }
            do {
                _ = try lockbook.list(.path(file.path), recursive: false)
                return false
            } catch LockbookError.notFound, LockbookError.notSyncedYet {
                return true
            } catch LockbookError.leadsNowhere {
                return false
            }
        }
    }

    /// The document that a link leads to; nil when that is a folder.
    func behind(_ link: String, _ lockbook: Lockbook) throws -> FileInfo? {
        do {
            let found = try lockbook.list(.path(link), recursive: false)
            return found.first { $0.path == link && $0.type == .document }
        } catch LockbookError.notFound, LockbookError.leadsNowhere, LockbookError.notSyncedYet {
            // One that was restored, or whose share waits for the next sync after a crash.
            return nil
        }
    }
}
