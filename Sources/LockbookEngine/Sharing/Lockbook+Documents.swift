import LockbookModel

extension Lockbook {
    /// Those of listed files that are documents, or links to a document that somebody shares.
    /// - Parameter unread: gets the links behind which cannot be looked, and why; they are left out.
    public func documents(
        among files: [FileInfo],
        unread: ((path: String, reason: LockbookError)) -> Void = { _ in }
    ) throws -> [FileInfo] {
        guard files.contains(where: { $0.type == .link }) else {
            return files.filter { $0.type == .document }
        }
        let links = try linksByID()
        let shares = OpenShares(of: self)
        return try files.filter { file in
            guard file.type == .link else { return file.type == .document }
            guard let target = links[file.id]?.target else { return false }
            do {
                let place = try shares.place(behind: target, link: file.path)
                return try place.lockbook.store.read { try $0.row(target.file)?.type == .document }
            } catch LockbookError.leadsNowhere {
                return false
            } catch let error as LockbookError {
                unread((file.path, error))
                return false
            }
        }
    }
}
