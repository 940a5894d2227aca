import LockbookCrypto
import LockbookModel

/// A path leads over a link: what is meant stands in another account's tree.
struct CrossesLink: Error, CustomStringConvertible {
    let target: LinkTarget
    /// The path of the link.
    let link: String
    /// Below what it points at, with a leading slash; empty for that itself.
    let rest: String
    /// Whether the link is in the trash itself.
    var isInTrash = false

    var reference: FileReference { .path("/\(target.file)\(rest)") }

    /// Where nobody goes on behind the link.
    var description: String {
        "\(link) leads to what another account shares, and this command does not go there yet"
    }
}

extension Lockbook {
    /// Does something with a file: in this account's tree, or behind the link that leads to it.
    /// - Parameter shares: where what others share is opened; nil for this file alone.
    func across<Result>(
        _ reference: FileReference,
        in shares: OpenShares? = nil,
        here: () throws -> Result,
        there: (SharedPlace) throws -> Result
    ) throws -> Result {
        do {
            return try here()
        } catch {
            let shares = shares ?? OpenShares(of: self)
            guard let place = try place(of: reference, after: error, in: shares) else {
                throw error
            }
            do { return try there(place) } catch let error as LockbookError {
                throw error.renamed(place.own)
            }
        }
    }

    func across<Result>(
        _ reference: FileReference,
        here: () async throws -> Result,
        there: (SharedPlace) async throws -> Result
    ) async throws -> Result {
        do {
            return try await here()
        } catch {
            let shares = OpenShares(of: self)
            guard let place = try place(of: reference, after: error, in: shares) else {
                throw error
            }
            do { return try await there(place) } catch let error as LockbookError {
                throw error.renamed(place.own)
            }
        }
    }

    /// Where something goes on that failed in this account's own tree; nil when it does not.
    func place(
        of reference: FileReference,
        after error: any Error,
        in shares: OpenShares
    ) throws -> SharedPlace? {
        if let crossed = error as? CrossesLink {
            // There is no link to delete, which is what else would be advised.
            if crossed.isInTrash, try shares.hasEnded(crossed.target) {
                throw try shares.end(of: crossed.target, behind: crossed.link)
            }
            return try shares.place(behind: crossed.target, link: crossed.link, crossed.rest)
        }
        // An id of this account's own asks no others: it was drawn here, and who copies it into what he
        // shares keeps nobody from what it means.
        guard case .id(let text) = reference, case LockbookError.notFound = error,
            !store.context.isForeign
        else { return nil }
        return try place(id: text, in: shares)
    }

    /// A file that others share, by its id; behind the id of a shared file a path may follow.
    ///
    /// All of them are asked: each owner chooses the ids in his tree, also one that another has.
    /// - Throws: `.ambiguous`; why one could not be asked, where no other has it.
    private func place(id text: String, in shares: OpenShares) throws -> SharedPlace? {
        let (prefix, rest) = text.idAndPath
        var matches: [(row: FileRow, other: Lockbook)] = []
        var unread: LockbookError?
        for owner in try store.read({ try $0.sharers() }) {
            do {
                guard let other = try shares.shared(by: owner) else { continue }
                let rows = try other.store.read { try $0.liveRows(idPrefix: prefix) }
                for row in rows where row.id != other.store.context.root {
                    matches.append((row, other))
                }
            } catch let error as LockbookError {
                unread = unread ?? error
            }
        }
        guard let match = matches.first else {
            if let unread { throw unread }
            return nil
        }
        guard matches.count == 1 else {
            let places = try matches.map { row, other in
                let found = try place(of: row, in: other)
                return "id:\(row.id)  \(found.own(found.reference.text))"
            }
            throw LockbookError.ambiguous(prefix: "id:" + prefix, matches: places)
        }
        return try place(of: match.row, in: match.other, rest)
    }

    /// A file of another account's tree.
    /// - Parameter rest: what follows, with a leading slash.
    func place(of row: FileRow, in other: Lockbook, _ rest: String = "") throws -> SharedPlace {
        let path = try other.store.read { try $0.path(of: row) }
        let links = try store.read { try $0.links(to: other.store.context.owner) }
        let (top, link) = try other.store.read { try $0.nearest(links, above: row) }
        return SharedPlace(lockbook: other, reference: .path(path + rest), top: top, link: link)
    }

    /// What an account shares with this one; nil when it shares nothing.
    func shared(by owner: AccountID) throws -> Lockbook? {
        let context = StoreContext(store, of: owner)
        guard Disk.exists(context.directory + "/" + LocalStore.fileName) else { return nil }
        return Lockbook(
            account: account,
            keys: keys,
            store: try LocalStore(context),
            environment: environment
        )
    }

    /// Puts what links point at behind them in a listing.
    /// - Parameter unread: gets the links behind which cannot be looked, and why.
    func expandingLinks(
        in files: [FileInfo],
        marks: Bool,
        _ unread: ((path: String, reason: LockbookError)) -> Void
    ) throws -> [FileInfo] {
        guard files.contains(where: { $0.type == .link }) else { return files }
        let links = try linksByID()
        let shares = OpenShares(of: self)
        var places: [(index: Int, place: SharedPlace)] = []
        for (index, file) in files.enumerated() {
            guard let link = links[file.id] else { continue }
            do {
                places.append((index, try shares.place(behind: link.target, link: link.path)))
            } catch LockbookError.leadsNowhere {
                // Nothing is behind it.
            } catch let error as LockbookError {
                unread((link.path, error))
            }
        }
        // What another link shows already is not shown twice.
        let shown = places.filter { one in !places.contains { one.place.isBelow($0.place) } }
        var below: [Int: [FileInfo]] = [:]
        let byStore = Dictionary(grouping: shown) { $0.place.lockbook.store.directory }
        for (_, group) in byStore.sorted(by: { $0.key < $1.key }) {
            guard let other = group.first?.place.lockbook else { continue }
            let lists: [Result<[FileInfo], LockbookError>]
            do {
                lists = try other.list(each: group.map(\.place.reference), marks: marks)
            } catch let error as LockbookError {
                lists = group.map { _ in .failure(error) }
            }
            for (one, list) in zip(group, lists) {
                let place = one.place
                switch list {
                case .success(let files):
                    // A shared document is the link itself.
                    below[one.index] = files.map(place.own).filter { $0.path != place.link }
                // It went meanwhile.
                case .failure(.notFound): break
                case .failure(let error): unread((place.link, error.renamed(place.own)))
                }
            }
        }
        return files.enumerated().flatMap { index, file in [file] + (below[index] ?? []) }
    }

    /// The live links to what others share, by their ids as lists have them.
    func linksByID() throws -> [String: ShareLink] {
        let links = try store.read { try $0.allLinks() }
        return Dictionary(links.map { ($0.id.description, $0) }) { first, _ in first }
    }
}

extension LocalTree {
    /// The link that a row is, as what has to be gone over to come to its target.
    func crossing(_ row: FileRow) throws -> CrossesLink? {
        guard row.type == .link, !row.isDamaged, let target = try file(row).target else {
            return nil
        }
        return CrossesLink(target: target, link: try path(of: row), rest: "")
    }
}
