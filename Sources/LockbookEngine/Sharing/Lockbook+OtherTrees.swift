import LockbookCrypto
import LockbookModel

/// What another account shares with this one, for what is asked of all trees at once.
struct OtherTree {
    let owner: String
    let lockbook: Lockbook
    /// The links to it, by the file that they point at.
    let links: [FileID: ShareLink]
    let places: LinkedPlaces

    /// A path of the other store as the user knows it.
    func own(_ path: String) -> String { places.own(path) }

    /// What a reference means in the other store; nil where it does not lead there.
    func reference(_ reference: FileReference) throws -> FileReference? {
        guard case .path(let typed) = reference else { return try behindID(reference) }
        guard let names = try? LocalTree.names(of: typed) else { return nil }
        let path = "/" + names.map(\.text).joined(separator: "/")
        for (file, link) in links where path == link.path || path.isBelow(link.path) {
            return .path("/\(file)\(path.behind(link.path))")
        }
        return nil
    }

    /// Behind the id of a shared file a path may follow.
    private func behindID(_ reference: FileReference) throws -> FileReference? {
        guard case .id(let text) = reference, !reference.isBareID else { return reference }
        let (prefix, rest) = text.idAndPath
        let top = FileReference.id(prefix: prefix)
        do {
            let path = try lockbook.store.read { try $0.path(of: try $0.find(top)) }
            return .path(path + rest)
        } catch let failure as LockbookError where failure.isUnknownID {
            return nil
        }
    }

    func own(_ info: FileInfo) -> FileInfo {
        var info = info
        info.path = own(info.path)
        return info
    }

    func own(_ command: ChangingCommand) -> ChangingCommand {
        var command = command
        command.owner = owner
        command.changes = command.changes.map { change in
            var change = change
            change.path = own(change.path)
            change.from = change.from.map(own)
            return change
        }
        return command
    }

    func own(_ error: LockbookError) -> LockbookError {
        guard case .cannotUndo(var reason) = error else { return error.renamed(own) }
        for (file, link) in links { reason = reason.replacing("/\(file)", with: link.path) }
        return .cannotUndo(reason: reason)
    }
}

extension SharedPlace {
    func own(_ history: FileHistory) -> FileHistory {
        var history = history
        history.versions = history.versions.map { version in
            var version = version
            version.path = own(version.path)
            return version
        }
        return history
    }
}

extension Lockbook {
    /// Asks each of the trees of others of which this account may see something.
    /// - Parameter unread: gets those that cannot be looked into.
    func askOthers<Answer>(
        _ unread: UnreadTrees,
        _ ask: (OtherTree) throws -> Answer
    ) throws -> [Answer] {
        guard !store.context.isForeign else { return [] }
        let (owners, byOwner) = try store.read { (try $0.sharers(), try $0.linksByOwner()) }
        return try owners.compactMap { owner in
            try unread.ask(owner) { () -> Answer? in
                guard let other = try shared(by: owner) else { return nil }
                let name = try store.read { try $0.username(of: owner) }
                let links = byOwner[owner] ?? [:]
                let places = try other.store.read { try LinkedPlaces(links, in: $0) }
                let tree = OtherTree(owner: name, lockbook: other, links: links, places: places)
                do { return try ask(tree) } catch let error as LockbookError {
                    throw tree.own(error)
                }
            }
        }
    }

    /// Finds a file that this account's own tree does not have in those of others.
    ///
    /// All of them are asked: each owner chooses the ids in his tree, also one that another has.
    /// - Parameters:
    ///   - failure: why not here; thrown when nobody has it, and all could be looked into.
    ///   - others: nil for all.
    ///   - find: throws `.notInTrash` or `.noConflict` where a tree does not have it.
    /// - Throws: `.ambiguous` where several have it.
    func elsewhere(
        _ reference: FileReference,
        after failure: LockbookError,
        among others: [OtherTree]? = nil,
        _ find: (OtherTree, LocalTree, FileReference) throws -> FileRow
    ) throws -> FoundElsewhere {
        var matches: [FoundElsewhere] = []
        let unread = UnreadTrees()
        for other in try others ?? askOthers(unread, { $0 }) {
            guard let there = try other.reference(reference) else { continue }
            do {
                let (row, path) = try other.lockbook.store.read { tree in
                    let row = try find(other, tree, there)
                    return (row, try tree.path(of: row))
                }
                matches.append(FoundElsewhere(other: other, reference: there, row: row, path: path))
            } catch LockbookError.notInTrash {
                continue
            } catch LockbookError.noConflict {
                continue
            } catch let error as LockbookError {
                throw other.own(error)
            }
        }
        return try matches.theOne(
            orNone: unread.first ?? failure,
            orSeveral: .ambiguous(
                prefix: reference.text,
                matches: matches.map { "id:\($0.row.id)  \($0.other.own($0.path))" }
            )
        )
    }
}

/// A file in another account's tree, and what means it there.
struct FoundElsewhere {
    let other: OtherTree
    let reference: FileReference
    let row: FileRow
    /// In the other store.
    let path: String

    /// Does something there that tells its failures as the user knows the paths.
    func telling<Result>(_ body: () throws -> Result) throws -> Result {
        do { return try body() } catch let error as LockbookError { throw other.own(error) }
    }
}
