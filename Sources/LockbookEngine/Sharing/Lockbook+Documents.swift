import LockbookModel

extension Lockbook {
    /// Those of listed files that are documents, or links to a document that somebody shares.
    public func documents(among files: [FileInfo]) throws -> [FileInfo] {
        guard files.contains(where: { $0.type == .link }) else {
            return files.filter { $0.type == .document }
        }
        let links = try store.read { try $0.allLinks() }
        let shares = OpenShares(of: self)
        return files.filter { file in
            guard file.type == .link else { return file.type == .document }
            guard let link = links.first(where: { $0.id.description == file.id }),
                let place = try? shares.place(behind: link.target, link: link.path),
                let shared = try? place.lockbook.info(place.reference)
            else { return false }
            return shared.type == .document
        }
    }
}
