import LockbookCrypto
import LockbookModel

extension Sync {
    /// Tells what happened in another account's log, and puts this account's own tree right: links
    /// to what was taken back go, and what was written and may not be pushed any more is kept as a
    /// document of one's own.
    /// - Parameter moved: where files stood in that log's store that others moved.
    mutating func settle(
        _ other: SyncReport,
        moved: [FileID: String],
        of shared: LocalStore,
        before: [FileID: ShareMode],
        after: [FileID: ShareMode],
        ended: Set<FileID>,
        unfit: Set<FileID>
    ) throws {
        let owner = shared.context.owner
        let (links, known) = try linksNowAndBefore(to: owner)
        let places = try shared.read { try LinkedPlaces(links, in: $0) }
        var knownPlaces = try shared.read { try LinkedPlaces(known, in: $0) }
        let outOfReach = try outOfReach(moved, places, before, after, in: shared)
        knownPlaces.left = outOfReach
        let placesLeft = try passOn(other, places, outOfReach, knownBy: knownPlaces, in: shared)
        try tellModes(before, after, places, in: shared)
        let stranded = try stranded(in: shared, knownPlaces, unfit)
        let left = try shared.read { try $0.leftOver() }.subtracting(
            stranded.filter(\.isForgotten).map(\.id)
        )
        let missed = try shared.read { try $0.missed() }
        let gone = Set(before.keys.filter { after[$0] == nil }).union(ended).union(left).filter {
            missed[$0] == nil && (before[$0] != nil || links[$0] != nil || left.contains($0))
        }.sorted()
        guard !gone.isEmpty || !stranded.isEmpty else { return }
        let saves = try shared.read {
            try $0.strandedSaves(in: gone, besides: stranded, knownPlaces)
        }
        let ended = try shared.read { tree in
            try gone.map { file in
                LocalTree.EndedShare(
                    source: LinkTarget(owner: owner, file: file),
                    offer: try tree.lastOffer(of: file),
                    link: links[file]?.id
                )
            }
        }
        let (told, unreadable) = try keepOwn(
            LostShares(
                gone: ended,
                stranded: stranded + saves,
                known: known,
                placesLeft: placesLeft
            ),
            of: shared
        )
        report.notes += told
        for error in unreadable { failures.add(error) }
        // Till it is done the next sync has to know what was.
        let tells = tellsUntold
        tellsUntold = false
        let (notes, stays) = try shared.write { tree in
            tree.isMerging = true
            let taken = stranded.isEmpty ? ([], []) : try tree.takeBack(stranded)
            for file in gone { try tree.forgetShare(file) }
            return taken
        }
        tellsUntold = tells
        // The sync that undoes it says so.
        let ids = Set(stays.map(\.description))
        if !ids.isEmpty { try forget { $0.kind == .undone && ids.contains($0.id) } }
        for var note in notes {
            note.path = SharedPath.own(note.path, known)
            if SharedPath.isBelow(note.detail) {
                note.detail = SharedPath.own(note.detail, known)
            }
            report.notes.append(note)
        }
        endedUnlinked += ended.filter { $0.link == nil }
    }

    /// Reports what was done in another account's log until the server was lost.
    ///
    /// The next sync settles what follows from it, and does none of it again.
    mutating func passOn(_ other: SyncReport, of shared: LocalStore) throws {
        let (links, known) = try linksNowAndBefore(to: shared.context.owner)
        let (places, knownPlaces) = try shared.read { tree in
            (try LinkedPlaces(links, in: tree), try LinkedPlaces(known, in: tree))
        }
        _ = try passOn(other, places, [:], knownBy: knownPlaces, in: shared)
    }

    /// The links to what an account shares, and those by which somebody knew it: also one that another
    /// device took away already.
    private func linksNowAndBefore(to owner: AccountID) throws
        -> (now: [FileID: ShareLink], known: [FileID: ShareLink])
    {
        let links = try store.read { try $0.links(to: owner) }
        return (links, links.merging(linksBefore(to: owner)) { now, _ in now })
    }

    /// Reports what others moved from where a link leads to where none does, or what is left of a share
    /// around it that was taken back: what is shared by itself is an offer then.
    /// - Returns: where that stood, by the ids of the files, deleted ones too.
    private mutating func outOfReach(
        _ moved: [FileID: String],
        _ places: LinkedPlaces,
        _ before: [FileID: ShareMode],
        _ after: [FileID: ShareMode],
        in shared: LocalStore
    ) throws -> [String: String] {
        var found: [String: String] = [:]
        for (file, old) in moved.sorted(by: { $0.key < $1.key }) {
            let path = places.own(old)
            let now = try shared.read { tree in
                try tree.row(file).map { (try tree.shownPath(of: file), try tree.isDead($0)) }
            }
            guard SharedPath.isReached(path), let (place, isDead) = now,
                !SharedPath.isReached(places.own(place))
            else { continue }
            found[file.description] = path
            guard !isDead else { continue }
            let told = report.notes.count
            if before[file] != nil, let mode = after[file] {
                try noteOffered([file: mode], in: shared)
            }
            // What was rejected once, or is a blocked account's, is none.
            if report.notes.count == told { report.left.append(path) }
        }
        return found
    }

    /// Reports what happened in another account's log by the paths that this account knows.
    /// - Parameters:
    ///   - outOfReach: where files stood that others moved to where no link leads.
    ///   - known: by the links that led there when this sync began, and those of now.
    /// - Returns: where files stood, by their ids, that have lost their places.
    private mutating func passOn(
        _ other: SyncReport,
        _ places: LinkedPlaces,
        _ outOfReach: [String: String],
        knownBy known: LinkedPlaces,
        in shared: LocalStore
    ) throws -> [String: String] {
        let own = places.own
        // What others do in what was only offered is no news.
        func ownReached(_ paths: [String]) -> [String] {
            paths.map(own).filter(SharedPath.isReached)
        }
        report.pulled += ownReached(other.pulled)
        report.pushed += other.pushed.map(own)
        for var change in other.changes ?? [] {
            change.path = own(change.path)
            report.changes?.append(change)
        }
        report.deleted += ownReached(other.deleted)
        // That a whole share is gone is told as that.
        report.purged += ownReached(other.purged.filter(SharedPath.isBelow))
        report.left += ownReached(other.left.filter(SharedPath.isBelow))
        report.races += other.races
        // What was written where nothing of this account is any more has lost its place already.
        var placesLeft: [String: String] = [:]
        for var note in other.notes {
            let path = note.path
            note.path = own(path)
            // What was wanted of a share that is over was wanted of it under the name that it had.
            if note.kind == .notDone, !SharedPath.isReached(note.path) {
                note.path = try shared.read { try $0.knownPath(path, by: known) }
            }
            if [.rescued, .folderGone].contains(note.kind), note.detail.beginsWithSlash {
                let place = note.detail
                note.detail = known.own(place)
                placesLeft[note.id] = try shared.read { try $0.knownPath(place, by: known) }
            }
            if note.kind == .moveUndone, SharedPath.isBelow(note.detail) {
                note.detail = own(note.detail)
                report.follow(note.id, from: note.detail, to: note.path)
            }
            let isOfOthers = [.damaged, .deleted, .trashed].contains(note.kind)
            if isOfOthers, !SharedPath.isReached(note.path) {
                // What was written here, where he still had it, is told by the place that he knows.
                guard note.kind != .damaged, let known = outOfReach[note.id] else { continue }
                note.detail = try shared.read { try $0.knownPath(path, by: places) }
                note.path = known
            }
            report.notes.append(note)
        }
        return placesLeft
    }

    /// Tells what is offered now, and what this account may do otherwise than before.
    private mutating func tellModes(
        _ before: [FileID: ShareMode],
        _ after: [FileID: ShareMode],
        _ places: LinkedPlaces,
        in shared: LocalStore
    ) throws {
        let name = try shared.read { try $0.username(of: shared.context.owner) }
        try noteOffered(after.filter { before[$0.key] == nil }, in: shared)
        for (file, mode) in after.sorted(by: { $0.key < $1.key }) {
            guard let old = before[file], old != mode,
                let path = try shared.read({ try $0.row(file) == nil ? nil : $0.path(of: file) })
            else { continue }
            // What no link leads to is an offer, which is listed with its mode.
            let place = places.own(path)
            guard SharedPath.isReached(place) else { continue }
            try noteNews(.modeChanged, file, place, "\(name), \(mode)")
        }
    }
}

extension LocalTree {
    /// Lets go of what was taken back.
    func forgetShare(_ top: FileID) throws {
        try forgetLastOffer(of: top)
        // What is in another share that is still there stays.
        guard let row = try row(top), row.parent == root else { return }
        var folders = [row]
        var all: [FileRow] = []
        while let next = folders.popLast() {
            all.append(next)
            folders += try children(of: next.id)
        }
        for row in all.reversed() { try pruneForNow(row) }
    }
}
