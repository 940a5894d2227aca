import LockbookModel

extension Lockbook {
    /// Those of listed files that are documents, or links to a document that somebody shares.
    /// - Parameter unread: gets the links behind which cannot be looked, and why; they are left out.
    public func documents(
        among files: [FileInfo],
        unread: ((path: String, reason: LockbookError)) -> Void = { _ in }
    ) throws -> [FileInfo] {
        let shared = try sharedDocuments(among: files, unread: unread)
        return files.filter { $0.type == .document || shared[$0.id] != nil }
    }

    /// The documents that links among listed files lead to, by the ids of the links.
    func sharedDocuments(
        among files: [FileInfo],
        unread: ((path: String, reason: LockbookError)) -> Void = { _ in }
    ) throws -> [String: FileInfo] {
        guard files.contains(where: { $0.type == .link }) else { return [:] }
        let links = try linksByID()
        let shares = OpenShares(of: self)
        var documents: [String: FileInfo] = [:]
        for link in files where link.type == .link {
            guard let target = links[link.id]?.target else { continue }
            do {
                let place = try shares.place(behind: target, link: link.path)
                let file = try place.lockbook.info(place.reference)
                if file.type == .document { documents[link.id] = place.own(file) }
            } catch LockbookError.leadsNowhere, LockbookError.notFound {
                // Nothing is behind it, or it went meanwhile.
            } catch let error as LockbookError {
                unread((link.path, error))
            }
        }
        return documents
    }
}
