import GRDB
import LockbookModel

/// A file that is to be made with others.
private struct WantedFile {
    let reference: FileReference
    /// Nil for an empty document or a folder.
    let text: String?
}

/// One of several that is made behind a link.
private struct WantedBehind {
    /// Which of them it is.
    let index: Int
    let place: SharedPlace
    let text: String?
}

extension Lockbook {
    /// Makes several files as `create(path:)` makes one, all of a tree in one transaction.
    ///
    /// What cannot be made changes nothing, and the others are made.
    /// - Parameter text: gives a document's text by its path; without it documents are empty, and a
    ///   trailing slash makes a folder.
    /// - Returns: what became of each, in their order.
    /// - Throws: where nothing can be stored: none of them was made then.
    public func create(
        paths: [String],
        text: ((_ path: String) throws -> String)? = nil
    ) throws -> [Result<FileInfo, any Error>] {
        let files = paths.map { path in
            Result<WantedFile, any Error> {
                WantedFile(reference: try placeToMake(path), text: try text?(path))
            }
        }
        var made = try createHere(files)
        createBehindLinks(files, &made)
        return made
    }

    private func createHere(_ files: [Result<WantedFile, any Error>]) throws
        -> [Result<FileInfo, any Error>]
    {
        try store.change { tree in try files.map { try tree.attempt($0) } }
    }

    /// Makes those that failed in this account's own tree because a link stands on the way.
    private func createBehindLinks(
        _ files: [Result<WantedFile, any Error>],
        _ made: inout [Result<FileInfo, any Error>]
    ) {
        let shares = OpenShares(of: self)
        var links: [String: SharedPlace] = [:]
        var groups: [(tree: Lockbook, files: [WantedBehind])] = []
        for index in files.indices {
            guard case .success(let file) = files[index], case .failure(let error) = made[index]
            else { continue }
            do {
                let reference = file.reference
                guard let place = try place(of: reference, after: error, in: shares, &links) else {
                    continue
                }
                let new = WantedBehind(index: index, place: place, text: file.text)
                let directory = place.lockbook.store.directory
                if let group = groups.firstIndex(where: { $0.tree.store.directory == directory }) {
                    groups[group].files.append(new)
                } else {
                    groups.append((place.lockbook, [new]))
                }
            } catch { made[index] = .failure(error) }
        }
        for group in groups {
            let results = group.tree.createTogether(group.files)
            for (file, result) in zip(group.files, results) { made[file.index] = result }
        }
    }

    /// The same as for one of them, but each link is followed once, whatever goes over it.
    private func place(
        of reference: FileReference,
        after error: any Error,
        in shares: OpenShares,
        _ links: inout [String: SharedPlace]
    ) throws -> SharedPlace? {
        guard let crossed = error as? CrossesLink else {
            return try place(of: reference, after: error, in: shares)
        }
        let top =
            try links[crossed.link]
            ?? shares.place(behind: crossed.target, link: crossed.link)
        links[crossed.link] = top
        return SharedPlace(
            lockbook: top.lockbook,
            reference: .path(top.top + crossed.rest),
            top: top.top,
            link: top.link
        )
    }

    /// Makes what stands behind links into this tree: what went into others is made by now.
    private func createTogether(_ files: [WantedBehind]) -> [Result<FileInfo, any Error>] {
        let results: [Result<FileInfo, any Error>]
        do {
            results = try createHere(
                files.map {
                    .success(WantedFile(reference: $0.place.reference, text: $0.text))
                }
            )
        } catch { results = files.map { _ in .failure(error) } }
        return zip(files, results).map { file, result in file.place.own(result) }
    }
}

extension SharedPlace {
    /// What became of a file, by the paths that the user knows.
    fileprivate func own(_ result: Result<FileInfo, any Error>) -> Result<FileInfo, any Error> {
        switch result {
        case .success(let info): .success(own(info))
        case .failure(let error as LockbookError): .failure(error.renamed(own))
        case .failure: result
        }
    }
}

extension LocalTree {
    /// Makes one of several; what fails leaves what the others make as it is.
    /// - Throws: what would leave a part of it, and what keeps all of them from being stored.
    fileprivate func attempt(_ file: Result<WantedFile, any Error>) throws
        -> Result<FileInfo, any Error>
    {
        let changes = db.totalChangesCount
        do {
            return .success(try create(file.get()))
        } catch {
            guard db.totalChangesCount == changes, !(error is DatabaseError),
                !(error is DiskFailure)
            else { throw error }
            return .failure(error)
        }
    }

    private func create(_ file: WantedFile) throws -> FileInfo {
        guard let text = file.text else { return try create(file.reference) }
        guard try makeNote(text, at: file.reference) else {
            throw LockbookError.exists(path: try resolved(file.reference).text)
        }
        let row = try find(file.reference)
        return try info(row, path: try path(of: row))
    }
}
