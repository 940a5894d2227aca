import LockbookModel

/// Decides what of all that leaves a share goes with the next entry, and what of it goes first.
struct DeparturePlan {
    let tree: LocalTree
    let server: BaseFacts
    /// What the server will not have, and why.
    let refused: [FileID: String]
    /// What was changed here and is at the server.
    let changed: [FileRow]
    /// Everything of it that leaves a scope, or takes a scope along into another one.
    let crossing: Set<FileID>
    /// Which of these may go: what is below another one goes after it.
    private var tops: [FileRow] = []

    /// What goes with one entry.
    private struct Round {
        var wait: DepartureWait
        /// What takes all below it along.
        var leaving: [(row: FileRow, sealed: SealedScopes)] = []
        /// What was moved out of these, and is pushed as any other change.
        var others: [FileRow] = []
        /// What was moved out of these, and takes another name until its own is free.
        var ahead: [FileRow] = []
        /// What goes its own way, and is shown to nobody where another one of these goes.
        var apart: Set<FileID> = []
        var notes: [SyncReport.Note] = []
    }

    /// - Returns: nil when nothing leaves anything.
    init?(tree: LocalTree, refused: [FileID: String]) throws {
        self.tree = tree
        self.refused = refused
        server = try BaseFacts(tree: tree)
        changed = try tree.changedRows().filter { !$0.isDamaged && $0.base != nil }
        let (tree, server) = (tree, server)
        let inner = server.foldersGoingWhole()
        let rows = try changed.filter { try tree.crosses($0, server, inner) }
        guard !rows.isEmpty else { return nil }
        crossing = Set(rows.map(\.id))
        let wait = DepartureWait(server: server, crossing: crossing)
        tops = try inTurn(
            rows.filter { row in
                try tree.row(row.parent).map { try !wait.covers($0) } ?? true
            },
            wait
        )
    }

    func departures() throws -> Departures {
        var wait = DepartureWait(server: server, crossing: crossing)
        while true {
            let round = try round(wait)
            // What goes its own way has to go in this entry, or it is no way of its own.
            guard round.wait.names != wait.names,
                try (round.others + round.ahead).contains(where: { try round.wait.covers($0) })
            else { return try sealed(round) }
            wait.names = round.wait.names
        }
    }

    /// - Parameter wait: what has to stay back, as far as is known.
    private func round(_ wait: DepartureWait) throws -> Round {
        let others = try changed.filter { row in
            guard let local = row.local, try goesElsewhere(row, wait) else { return false }
            return try !wait.holds(FileRecord(local).facts)
        }
        let ahead = try goingAhead(of: self.tops, wait)
        var tops = tops
        while true {
            var round = Round(wait: wait, others: others, ahead: ahead)
            try depart(tops, &round)
            let early = try tooEarly(round.leaving.map(\.row), among: tops, round.wait)
            // Each may wait for another one.
            guard !early.isEmpty, early.count < tops.count else {
                try round.wait.includeWanting(changed, besides: Set(ahead.map(\.id)))
                return round
            }
            tops.removeAll { early.contains($0.id) }
        }
    }

    /// Seals what goes, each with what is below it; what cannot go is noted.
    private func depart(_ tops: [FileRow], _ round: inout Round) throws {
        round.apart = Set((tops + round.others + round.ahead).map(\.id))
        var gone: Set<FileID> = []
        // Most trees have fewer of them than one entry has room for.
        let isCrowded = try tree.allGrants().count > EntryGroup.maximumGrantCount
        let folders = isCrowded ? try pushedFolders(round.wait) : [:]
        for row in tops.sorted(by: { $0.id < $1.id }) {
            do {
                if let reason = refused[row.id] { throw tree.badShare(row, reason) }
                let sealed = try tree.departing(row, besides: round.apart)
                // What the server does not take of it stays with all of it.
                let below = sealed.records.lazy.compactMap { refused[$0.facts.id] }.first
                if let reason = below { throw tree.badShare(row, reason) }
                guard try !isCrowded || hasRoom(for: sealed, among: folders) else {
                    throw tree.crowded(row)
                }
                gone.formUnion(sealed.records.map(\.facts.id))
                round.leaving.append((row, sealed))
            } catch LockbookError.badShare(let path, let reason) {
                round.notes.append(
                    SyncReport.Note(
                        kind: .notPushed,
                        id: row.id.description,
                        path: path,
                        detail: reason
                    )
                )
            }
        }
        round.wait.crossing.formUnion(gone)
    }

    /// Whether an entry has room for what each scope that goes is told of who may be in it.
    private func hasRoom(
        for sealed: SealedScopes,
        among folders: [FileID: FileFacts]
    ) throws -> Bool {
        let view = PageView(tree: tree)
        var facts = folders
        for record in sealed.records { facts[record.facts.id] = record.facts }
        return try sealed.keys.keys.allSatisfy { scope in
            let around = try view.scopes(around: scope, after: facts)
            let members = try around.reduce(0) { try $0 + view.grantees(of: $1).count }
            return members <= EntryGroup.maximumGrantCount
        }
    }

    private func sealed(_ round: Round) throws -> Departures {
        var departures = Departures(notes: round.notes, wait: round.wait)
        for row in round.ahead.sorted(by: { $0.id < $1.id }) {
            var file = try tree.file(row)
            file.name = try nextName(row, departures)
            departures.records.append(try tree.seal(file, row: row))
            departures.ahead.insert(row.id)
        }
        var passed: Set<FileID> = []
        for (row, sealed) in round.leaving {
            var sealed = sealed
            if let place = sealed.records.first?.facts, try round.wait.holds(place) {
                let name = try nextName(row, departures)
                sealed = try tree.departing(row, besides: round.apart, named: name)
            }
            let folders = try foldersAhead(of: row, departures, round.wait, &passed)
            departures.ahead.formUnion(folders.map(\.facts.id))
            departures.records += folders + sealed.records
            departures.keys.merge(sealed.keys) { _, new in new }
        }
        departures.facts = try pushedFolders(round.wait)
        for record in departures.records { departures.facts[record.facts.id] = record.facts }
        departures.left = try left(by: departures)
        return departures
    }

    /// The folders that are pushed as they are here.
    private func pushedFolders(_ wait: DepartureWait) throws -> [FileID: FileFacts] {
        var folders: [FileID: FileFacts] = [:]
        for row in try tree.changedRows() where row.type == .folder && !row.isDamaged {
            guard let local = row.local, try !wait.covers(row) else { continue }
            folders[row.id] = try FileRecord(local).facts
        }
        return folders
    }

    /// What leaves which scope.
    private func left(by departures: Departures) throws -> [FileID: [FileID]] {
        let view = PageView(tree: tree)
        var around: [FileID: [FileID]] = [:]
        var left: [FileID: [FileID]] = [:]
        for record in departures.records {
            let facts = record.facts
            guard let old = try server.facts(facts.id),
                let scope = try old.scope == old.id ? view.enclosing(old.id) : old.scope,
                scope != tree.root
            else { continue }
            let outer =
                try around[facts.scope]
                ?? view.scopes(around: facts.scope, after: departures.facts)
            around[facts.scope] = outer
            if !outer.contains(scope) { left[scope, default: []].append(facts.id) }
        }
        return left
    }
}
