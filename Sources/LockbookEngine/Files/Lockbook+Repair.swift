import GRDB
import LockbookCrypto
import LockbookModel

extension Lockbook {
    /// Fetches the contents that do not open on this device, or are missing, again from the server.
    ///
    /// A content is replaced when the new one is here; what the server does not have stays as it is.
    /// - Returns: the paths of the documents whose contents are whole again.
    /// - Throws: `.offline` and what else keeps a server from being asked.
    public func repairContents() async throws -> [String] {
        let broken = try store.read { try $0.brokenContents() }
        var repaired: [String] = []
        for content in broken {
            do {
                _ = try await withServer { try await $0.fetchAgain(content) }
                repaired.append(content.path)
            } catch LockbookError.integrity, LockbookError.refused {
                // The server lost it too, or sends another one: `validate` tells what is wrong.
            }
        }
        return repaired
    }

    /// - Returns: whether the content is whole again.
    func fetchAgain(_ content: AbsentContent) async throws -> Bool {
        do {
            _ = try await withServer { try await $0.fetchAgain(content) }
            return true
        } catch is LockbookError {
            // That it is damaged is what its reader has to know.
            return false
        }
    }
}

extension Sync {
    func fetchAgain(_ content: AbsentContent) async throws {
        try await fetch([(name: content.blob, size: content.size)], replacing: true)
    }
}

extension LocalTree {
    /// The content that the server has of a document, when it is the one that stands here.
    func agreedContent(of row: FileRow) throws -> AbsentContent? {
        guard !row.isDamaged, let content = try file(row).content,
            try row.base.map({ try FileRecord($0).facts.blob?.name }) == content.blob
        else { return nil }
        return AbsentContent(path: try path(of: row), blob: content.blob, size: content.blobSize)
    }

    fileprivate func brokenContents() throws -> [AbsentContent] {
        let rows = try Row.fetchCursor(db, sql: "SELECT \(FileRow.columns) FROM file")
        var broken: [AbsentContent] = []
        while let next = try rows.next() {
            let row = try FileRow(next)
            guard let content = try agreedContent(of: row), try !isAwaited(content.blob) else {
                continue
            }
            do {
                guard case .here(var reader) = try openContent(of: try file(row), path: "") else {
                    if try !isDead(row) { broken.append(content) }
                    continue
                }
                try reader.readAll { _ in }
            } catch let error as LockbookError where error.isUnreadable {
                broken.append(content)
            }
        }
        return broken
    }
}
