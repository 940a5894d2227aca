import Glibc
import LockbookModel

extension SharedPlace {
    func own(_ event: SearchEvent) -> SearchEvent {
        func own(_ file: SearchedFile) -> SearchedFile {
            var file = file
            file.path = self.own(file.path)
            return file
        }
        return switch event {
        case .name(let file): .name(own(file))
        case .lines(let file, let lines): .lines(own(file), lines)
        case .binary(let file): .binary(own(file))
        case .matched(let file, let lines): .matched(own(file), lines: lines)
        case .unreadable(let path, let error):
            .unreadable(path: self.own(path), error.renamed(self.own))
        case .noTarget(let error): .noTarget(error.renamed(self.own))
        }
    }
}

extension SharedPlace {
    /// An id alone tells no file apart from another account's, which may have chosen the same.
    func isSame(as other: SharedPlace) -> Bool {
        reference == other.reference
            && lockbook.store.directory == other.lockbook.store.directory
    }

    func isBelow(_ other: SharedPlace) -> Bool {
        guard case .path(let path) = reference, case .path(let above) = other.reference,
            lockbook.store.directory == other.lockbook.store.directory
        else { return false }
        return path.isBelow(above)
    }
}

/// Where a search looks: in this account's own tree, and behind the links in it, each once.
struct SearchPlaces {
    var here: [FileReference] = []
    var behind: [SharedPlace] = []
    /// The links behind which cannot be looked, and why.
    var unread: [(path: String, reason: LockbookError)] = []
    /// Why some of what was named is nowhere.
    var failures: [LockbookError] = []
}

extension Lockbook {
    func searchPlaces(_ references: [FileReference]) throws -> SearchPlaces {
        let links = try ownLinks()
        guard !links.isEmpty || references.contains(where: { $0.isID }) else {
            return SearchPlaces(here: references)
        }
        let shares = OpenShares(of: self)
        var places = SearchPlaces()
        func add(_ place: SharedPlace) {
            if !places.behind.contains(where: { $0.isSame(as: place) }) {
                places.behind.append(place)
            }
        }
        for reference in references {
            do {
                let path = try across(reference) { () throws -> String? in
                    try store.read { tree in
                        let row = try tree.find(reference)
                        if let crossing = try tree.crossing(row) { throw crossing }
                        return try tree.path(of: row)
                    }
                } there: { place in
                    add(place)
                    return nil
                }
                guard let path else { continue }
                for link in links where path == "/" || link.path.isBelow(path) {
                    do {
                        add(try shares.place(behind: link.target, link: link.path))
                    } catch LockbookError.leadsNowhere {
                        // Nothing is behind it.
                    } catch let error as LockbookError {
                        places.unread.append((link.path, error))
                    }
                }
                places.here.append(reference)
            } catch let error as LockbookError where error.isAboutTarget {
                places.failures.append(error)
            }
        }
        // What several of them mean is searched once.
        let behind = places.behind
        places.behind = behind.filter { place in
            !behind.contains { place.reference != $0.reference && place.isBelow($0) }
        }
        return places
    }

    /// The links below a file that lead into what another one below it leads to.
    /// - Parameter shares: where what they lead to is opened; nil for this question alone.
    func inwardLinks(below reference: FileReference, in shares: OpenShares? = nil) throws
        -> Set<String>
    {
        let links = try ownLinks()
        guard links.count > 1 else { return [] }
        let shares = shares ?? OpenShares(of: self)
        let top = try store.read { try $0.path(of: try $0.find(reference)) }
        let above = top == "/" ? "" : top
        let places = links.filter { $0.path.isBelow(above) }.compactMap { link in
            (try? shares.place(behind: link.target, link: link.path))
                .map { (link: link, place: $0) }
        }
        let inward = places.filter { one in places.contains { one.place.isBelow($0.place) } }
        return Set(inward.map(\.link.path))
    }

    private func ownLinks() throws -> [ShareLink] {
        guard !store.context.isForeign else { return [] }
        return try store.read { try $0.allLinks() }
    }
}

extension Lockbook {
    /// What a sync would push to what others share, and what has to wait for them.
    /// - Parameter unread: gets the trees that cannot be looked into.
    func sharedChanges(_ unread: UnreadTrees) throws -> [StatusReport.Change] {
        let (followed, waiting, known) = try store.read { tree in
            var known = try tree.linksByOwner()
            // Those that were taken away since the last sync, by which people know it still.
            for link in try tree.linksLeft()
            where known[link.target.owner]?[link.target.file] == nil {
                known[link.target.owner, default: [:]][link.target.file] = link
            }
            return (try tree.followed(), try tree.leftBehind(), known)
        }
        func changes(of owner: AccountID, isLeft: Bool) throws -> [StatusReport.Change] {
            try unread.ask(owner) {
                try self.changes(of: owner, knownBy: known[owner] ?? [:], isLeft: isLeft)
            } ?? []
        }
        return try followed.flatMap { try changes(of: $0, isLeft: false) }
            + waiting.flatMap { try changes(of: $0, isLeft: true) }
    }

    /// - Parameters:
    ///   - links: by which people know what it shares.
    ///   - isLeft: whether the server does not tell of that account's log any more.
    private func changes(
        of owner: AccountID,
        knownBy links: [FileID: ShareLink],
        isLeft: Bool
    ) throws -> [StatusReport.Change] {
        guard let other = try shared(by: owner)?.store else { return [] }
        return try other.read { tree in
            let places = try LinkedPlaces(links, in: tree)
            let reason = try isLeft ? tree.waitingReason() : nil
            return try tree.changes().map { change in
                var change = change
                change.path = places.own(change.path)
                change.heldBack = change.heldBack ?? reason
                return change
            }
        }
    }
}

extension Lockbook {
    /// Where something is to go: the path of what is named by its id, with what follows that; any
    /// other one as it is.
    /// - Throws: `.notFound`, `.ambiguous`.
    public func destinationPath(_ destination: String) throws -> String {
        let reference = FileReference(destination)
        guard case .id(let text) = reference else { return destination }
        let (prefix, rest) = text.idAndPath
        let path = try info(.id(prefix: prefix)).path
        guard SharedPath.isReached(path) else {
            throw LockbookError.badPath(
                path: destination,
                reason: "it is offered to you, and has a path once it is accepted"
            )
        }
        return rest.isEmpty ? path : (path == "/" ? "" : path) + rest
    }
}

extension FileReference {
    var isID: Bool {
        if case .id = self { true } else { false }
    }
}

extension Disk {
    static func isFolder(_ path: String) -> Bool {
        (try? status(path, followLinks: true)).map { $0.st_mode & S_IFMT == S_IFDIR } ?? false
    }
}
