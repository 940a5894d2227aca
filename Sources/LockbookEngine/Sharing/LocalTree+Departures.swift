import GRDB
import LockbookCrypto
import LockbookModel

/// Files that leave a share with the next push, and shared ones that come into another one or out of
/// one: they and all below them get new keys, and the scopes that they leave are told.
struct Departures {
    /// Records of what goes, as the server knows it but for its new place.
    var records: [FileRecord] = []
    /// By the scope that is left.
    var left: [FileID: [FileID]] = [:]
    /// What goes first, among the records, by a name that is free: new folders that something goes into,
    /// and what was moved out of what goes.
    var ahead: Set<FileID> = []
    /// Everything that is another scope's here than at the server, or stands in another one.
    var crossing: Set<FileID> = []
    /// What stays in its place at the server until they went, as it wants the place of one of them.
    var waiting: Set<FileID> = []
    /// The new keys of the scopes among them.
    var keys: [FileID: (key: FileKey, epoch: UInt32)] = [:]
    /// Folders, and what goes, as they are after the entry.
    var facts: [FileID: FileFacts] = [:]
    var notes: [SyncReport.Note] = []
    /// Where files stand for the server.
    var server: BaseFacts?

    var isEmpty: Bool { crossing.isEmpty }
}

extension LocalTree {
    /// Looks for what was moved out of shares here, and with what is shared by itself also into them.
    ///
    /// The rows stay as they are until the entry is in the log: what was changed besides is sealed
    /// for the new keys then, and pushed.
    /// - Parameter refused: what the server will not have, and why.
    func departures(without refused: [FileID: String] = [:]) throws -> Departures {
        var found = Departures()
        guard try !isForeign && isShared() else { return found }
        let server = try BaseFacts(tree: self)
        let changed = try changedRows().filter { !$0.isDamaged && $0.base != nil }
        let rows = try changed.filter { try crosses($0, server) }
        guard !rows.isEmpty else { return found }
        found.server = server
        found.crossing = Set(rows.map(\.id))
        let all = try rows.filter { row in
            try self.row(row.parent).map { try !waits($0, for: found) } ?? true
        }
        let turn = try inTurn(all, changed, found, server)
        let start = found
        var leaving: [(row: FileRow, sealed: SealedScopes)] = []
        var apart: Set<FileID> = []
        var ahead: [FileRow] = []
        var waiting: Set<FileID> = []
        while true {
            found = start
            found.waiting = waiting
            var tops = turn
            // What was moved out of one of them goes its own way in the same entry, and is shown to nobody
            // there: under another name where its own is free only after that.
            let others = try changed.filter { try goesElsewhere($0, found, refused, server) }
            ahead = try goingAhead(of: turn, changed, found, refused, server)
            let going = found
            while true {
                found = going
                apart = Set(tops.map(\.id)).union(others.map(\.id)).union(ahead.map(\.id))
                leaving = try departing(tops, besides: apart, refused, &found)
                let early = try tooEarly(leaving.map(\.row), among: tops, found, server)
                // Each may wait for another one.
                guard !early.isEmpty, early.count < tops.count else { break }
                tops.removeAll { early.contains($0.id) }
            }
            found.waiting.formUnion(
                try self.waiting(changed, besides: Set(ahead.map(\.id)), for: found, server)
            )
            // What goes by itself has to go in this entry.
            guard found.waiting != waiting,
                try (others + ahead).contains(where: { try waits($0, for: found) })
            else { break }
            waiting = found.waiting
        }
        for row in ahead.sorted(by: { $0.id < $1.id }) {
            var file = try file(row)
            file.name = try nextName(row, server, found)
            found.records.append(try seal(file, row: row))
            found.ahead.insert(row.id)
        }
        for (row, sealed) in leaving {
            var sealed = sealed
            if let place = sealed.records.first?.facts, try isHeld(place, at: server, by: found) {
                let name = try nextName(row, server, found)
                sealed = try departing(row, besides: apart, named: name)
            }
            let folders = try foldersAhead(of: row, server, found)
            found.ahead.formUnion(folders.map(\.facts.id))
            found.records += folders + sealed.records
            found.keys.merge(sealed.keys) { _, new in new }
        }
        found.facts = try folders(besides: found)
        for record in found.records { found.facts[record.facts.id] = record.facts }
        found.left = try left(by: found, server)
        return found
    }

    /// What goes into a folder that another one takes along, whose new keys are known only when they are
    /// agreed; and what would take that along to where others see it.
    private func tooEarly(
        _ leaving: [FileRow],
        among tops: [FileRow],
        _ departures: Departures,
        _ server: BaseFacts
    ) throws -> Set<FileID> {
        var early = Set(
            try leaving.filter { row in
                try self.row(row.parent).map { try waits($0, for: departures) } ?? false
            }.map(\.id)
        )
        var pending = Array(early)
        while let id = pending.popLast() {
            let others = Set(tops.map(\.id)).subtracting(early)
            guard let old = try server.facts(id),
                let holder = try first(
                    of: others,
                    from: old.parent,
                    { try server.facts($0)?.parent }
                )
            else { continue }
            early.insert(holder)
            pending.append(holder)
        }
        return early
    }

    /// What wants the place of what goes, or of what waits for it.
    /// - Parameter ahead: what takes another name until its own is free.
    private func waiting(
        _ changed: [FileRow],
        besides ahead: Set<FileID>,
        for departures: Departures,
        _ server: BaseFacts
    ) throws -> Set<FileID> {
        var departures = departures
        var isDone = false
        while !isDone {
            isDone = true
            for row in changed where !ahead.contains(row.id) {
                guard let local = row.local, try !waits(row, for: departures),
                    try isHeld(FileRecord(local).facts, at: server, by: departures)
                else { continue }
                departures.waiting.insert(row.id)
                isDone = false
            }
        }
        return departures.waiting
    }

    /// What was moved out of what departs, and whose own name is free only after that.
    ///
    /// Sealed along with it, it would be shown to those whom that goes to; and where it is to be above that, the
    /// entry would be a circle.
    private func goingAhead(
        of tops: [FileRow],
        _ changed: [FileRow],
        _ departures: Departures,
        _ refused: [FileID: String],
        _ server: BaseFacts
    ) throws -> [FileRow] {
        let all = Set(tops.map(\.id))
        return try changed.filter { row in
            guard !all.contains(row.id), let local = row.local, let old = try server.facts(row.id),
                try first(of: all, from: old.parent, { try server.facts($0)?.parent }) != nil,
                try goesElsewhere(row, departures, refused)
            else { return false }
            return try isHeld(FileRecord(local).facts, at: server, by: departures)
        }
    }

    /// Whether a file leaves a scope, or takes a scope along into another one.
    private func crosses(_ row: FileRow, _ server: BaseFacts) throws -> Bool {
        guard let base = row.base, let local = row.local else { return false }
        let (old, new) = (try FileRecord(base).facts, try FileRecord(local).facts)
        guard old.scope != row.id else {
            guard old.parent != new.parent, let folder = try self.row(new.parent) else {
                return false
            }
            return try server.facts(old.parent)?.scope != scope(of: folder)
        }
        guard old.scope != new.scope, row.id != root else { return false }
        return try !staysInside(old.scope, new.scope) || holdsScope(row, server)
    }

    /// Whether something that the server has in a folder is shared by itself, and goes with it.
    private func holdsScope(_ folder: FileRow, _ server: BaseFacts) throws -> Bool {
        var pending = folder.type == .folder ? [folder] : []
        while let next = pending.popLast() {
            for row in try server.rows(in: next.id) where !row.isDamaged {
                guard let facts = try row.base.map({ try FileRecord($0).facts }) else { continue }
                let isMoved = try row.local.map { try FileRecord($0).facts.parent != facts.parent }
                if facts.scope == row.id, isMoved != true { return true }
                if row.type == .folder { pending.append(row) }
            }
        }
        return false
    }

    /// Whether a file is in another folder here than at the server, and is pushed there.
    /// - Parameter server: nil where its name there may be held still.
    private func goesElsewhere(
        _ row: FileRow,
        _ departures: Departures,
        _ refused: [FileID: String],
        _ server: BaseFacts? = nil
    ) throws -> Bool {
        guard let base = row.base, let local = row.local else { return false }
        let record = try FileRecord(local)
        guard try record.facts.parent != FileRecord(base).facts.parent,
            try !waits(row, for: departures)
        else { return false }
        guard try refusal(of: row, refused) == nil, try obstacle(to: record) == nil else {
            return false
        }
        return try server.map { try !isHeld(record.facts, at: $0, by: departures) } ?? true
    }

    /// Without what goes into a share and would take along what was moved out of it, to below another
    /// one of these: that one goes first.
    private func inTurn(
        _ tops: [FileRow],
        _ changed: [FileRow],
        _ departures: Departures,
        _ server: BaseFacts
    ) throws -> [FileRow] {
        let entering = Set(
            try tops.filter { try self.row($0.parent).map { try scope(of: $0) } ?? root != root }
                .map(\.id)
        )
        guard tops.count > 1, !entering.isEmpty else { return tops }
        let all = Set(tops.map(\.id))
        var later: Set<FileID> = []
        for row in changed where !all.contains(row.id) {
            guard let old = try server.facts(row.id), old.parent != row.parent,
                try waits(row, for: departures),
                let from = try first(of: all, from: old.parent, { try server.facts($0)?.parent }),
                entering.contains(from),
                try first(of: all, from: row.parent, { try self.row($0)?.parent }) != from
            else { continue }
            later.insert(from)
        }
        // Each may wait for another one.
        return later.count < tops.count ? tops.filter { !later.contains($0.id) } : tops
    }

    /// The first of some files on the way up.
    private func first(
        of files: Set<FileID>,
        from start: FileID,
        _ above: (FileID) throws -> FileID?
    ) throws -> FileID? {
        var seen: Set<FileID> = []
        var next: FileID? = start
        while let id = next, id != root, seen.insert(id).inserted {
            if files.contains(id) { return id }
            next = try above(id)
        }
        return nil
    }

    /// The folders that are pushed as they are here.
    private func folders(besides departures: Departures) throws -> [FileID: FileFacts] {
        var folders: [FileID: FileFacts] = [:]
        for row in try changedRows() where row.type == .folder && !row.isDamaged {
            guard let local = row.local, try !waits(row, for: departures) else { continue }
            folders[row.id] = try FileRecord(local).facts
        }
        return folders
    }

    /// What leaves which scope.
    private func left(by departures: Departures, _ server: BaseFacts) throws -> [FileID: [FileID]] {
        let view = PageView(tree: self)
        var around: [FileID: [FileID]] = [:]
        var left: [FileID: [FileID]] = [:]
        for record in departures.records {
            let facts = record.facts
            guard let old = try server.facts(facts.id),
                let scope = try old.scope == old.id ? view.enclosing(old.id) : old.scope,
                scope != root
            else { continue }
            let outer =
                try around[facts.scope]
                ?? view.scopes(around: facts.scope, after: departures.facts)
            around[facts.scope] = outer
            if !outer.contains(scope) { left[scope, default: []].append(facts.id) }
        }
        return left
    }

    /// Whether the server has something else at a place that leaves it only after these departures.
    func isHeld(
        _ place: FileFacts,
        at server: BaseFacts,
        by departures: Departures
    ) throws -> Bool {
        guard !place.isDeleted,
            let id = try server.undeletedChild(of: place.parent, tagged: place.nameTag),
            id != place.id, let row = try row(id)
        else { return false }
        return try waits(row, for: departures)
    }

    /// Whether a change has to wait until what leaves a share has its new keys.
    func waits(_ row: FileRow, for departures: Departures) throws -> Bool {
        guard !departures.isEmpty else { return false }
        var next: FileRow? = row
        while let row = next, row.id != root {
            if departures.crossing.contains(row.id) || departures.waiting.contains(row.id) {
                return true
            }
            next = try self.row(row.parent)
        }
        return false
    }
}
