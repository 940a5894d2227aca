import LockbookCrypto
import LockbookModel

/// What others offer, as a sync tells it.
extension Sync {
    /// What was taken back and is offered again is another offer, also where nobody here saw it go.
    mutating func offerAnew(_ files: Set<FileID>, of shared: LocalStore) throws {
        let held = try shared.read { try $0.held() }
        var anew: [FileID: ShareMode] = [:]
        for file in files.sorted() {
            let target = LinkTarget(owner: shared.context.owner, file: file)
            let answer = try store.read { try $0.answers().first { $0.offer == target } }
            guard let mode = held[file], let answer, let before = answersBefore[target],
                before.isRejection
            else { continue }
            // Another device may have seen it before, and somebody answered there since.
            if answer.number == before.number {
                try store.write { try $0.setRejected(target, false) }
            } else if answer.isRejection {
                continue
            }
            anew[file] = mode
        }
        try noteOffered(anew, in: shared)
    }

    /// Tells what somebody shares, unless this account does not want to know, has it already, or has
    /// what it is to continue.
    /// - Parameter modes: what this account may do with it, by file.
    mutating func noteOffered(_ modes: [FileID: ShareMode], in shared: LocalStore) throws {
        guard !modes.isEmpty else { return }
        let owner = shared.context.owner
        let (isBlocked, rejected, links) = try store.read {
            (try $0.isBlocked(owner), try $0.rejected(of: owner), try $0.links(to: owner))
        }
        guard !isBlocked else { return }
        let (name, titles) = try shared.read { tree in
            let files = modes.keys.filter { !rejected.contains($0) }
            let titles = try files.sorted().compactMap { file in
                try title(ofOffered: file, besides: links, in: tree).map { (file, $0) }
            }
            return (try tree.username(of: owner), titles)
        }
        for (file, title) in titles {
            guard let mode = modes[file] else { continue }
            report.notes.append(
                SyncReport.Note(
                    kind: .offered,
                    id: file.description,
                    path: title,
                    detail: "\(name), \(mode)",
                    offer: LinkTarget(owner: owner, file: file)
                )
            )
        }
    }

    /// What a shared file is called; nil for one that is no offer.
    private func title(
        ofOffered file: FileID,
        besides links: [FileID: ShareLink],
        in tree: LocalTree
    ) throws -> String? {
        guard let row = try tree.row(file) else { return "\(file)" }
        // What a link to a share around it leads to already is none.
        if try SharedPath.isReached(tree.nearest(links, above: row).link) { return nil }
        // What continues something is none before that ends.
        let target = LinkTarget(owner: tree.owner, file: file)
        if try !tree.isDead(row), let source = try tree.mark(of: row).source(of: target),
            try isAhead(source)
        {
            return nil
        }
        return try tree.shownTitle(of: row).text
    }

    mutating func note(
        _ kind: SyncReport.Note.Kind,
        _ file: FileID,
        _ path: String,
        _ detail: String
    ) {
        report.notes.append(
            SyncReport.Note(kind: kind, id: file.description, path: path, detail: detail)
        )
    }
}
