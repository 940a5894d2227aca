import LockbookModel

extension Lockbook {
    /// Those of listed files that are documents, or links to a document that somebody shares.
    public func documents(among files: [FileInfo]) throws -> [FileInfo] {
        guard files.contains(where: { $0.type == .link }) else {
            return files.filter { $0.type == .document }
        }
        let links = try linksByID()
        let shares = OpenShares(of: self)
        return files.filter { file in
            guard file.type == .link else { return file.type == .document }
            guard let target = links[file.id]?.target,
                let place = try? shares.place(behind: target, link: file.path),
                let shared = try? place.lockbook.store.read({ try $0.row(target.file) })
            else { return false }
            return shared.type == .document
        }
    }
}
