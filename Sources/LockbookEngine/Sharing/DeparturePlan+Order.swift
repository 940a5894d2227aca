import LockbookModel

/// What of the departures goes before which.
extension DeparturePlan {
    /// Without what goes into a share and would take along what was moved out of it, to below another
    /// one of these: that one goes first.
    func inTurn(_ tops: [FileRow], _ wait: DepartureWait) throws -> [FileRow] {
        let entering = Set(
            try tops.filter { row in
                try tree.row(row.parent).map { try tree.scope(of: $0) } ?? tree.root != tree.root
            }.map(\.id)
        )
        guard tops.count > 1, !entering.isEmpty else { return tops }
        let all = Set(tops.map(\.id))
        let (there, here) = (holders(among: all), tree.filesAbove(where: all.contains))
        var later: Set<FileID> = []
        for row in changed where !all.contains(row.id) {
            guard let old = try server.facts(row.id), old.parent != row.parent,
                try wait.covers(row), let from = try there.nearest(from: old.parent),
                entering.contains(from), try here.nearest(from: row.parent) != from
            else { continue }
            later.insert(from)
        }
        // Each may wait for another one.
        return later.count < tops.count ? tops.filter { !later.contains($0.id) } : tops
    }

    /// What goes into a folder that another one takes along, whose new keys are known only when they are
    /// agreed; and what would take that along to where others see it.
    func tooEarly(
        _ leaving: [FileRow],
        among tops: [FileRow],
        _ wait: DepartureWait
    ) throws -> Set<FileID> {
        var early = Set(
            try leaving.filter { row in
                try tree.row(row.parent).map { try wait.covers($0) } ?? false
            }.map(\.id)
        )
        let holders = holders(among: Set(tops.map(\.id)))
        var pending = Array(early)
        while let id = pending.popLast() {
            guard let old = try server.facts(id),
                let holder = try holders.all(from: old.parent).first(where: { !early.contains($0) })
            else { continue }
            early.insert(holder)
            pending.append(holder)
        }
        return early
    }

    /// What was moved out of what goes, and whose own name is free only after that.
    ///
    /// Sealed along with it, it would be shown to those whom that goes to; and where it is to be above
    /// that, the entry would be a circle.
    func goingAhead(of tops: [FileRow], _ wait: DepartureWait) throws -> [FileRow] {
        let all = Set(tops.map(\.id))
        let holders = holders(among: all)
        return try changed.filter { row in
            guard !all.contains(row.id), let local = row.local, let old = try server.facts(row.id),
                try holders.nearest(from: old.parent) != nil, try goesElsewhere(row, wait)
            else { return false }
            return try wait.holds(FileRecord(local).facts)
        }
    }

    /// Whether a file is in another folder here than at the server, and is pushed there, once its name
    /// there is free.
    func goesElsewhere(_ row: FileRow, _ wait: DepartureWait) throws -> Bool {
        guard let base = row.base, let local = row.local else { return false }
        let record = try FileRecord(local)
        guard try record.facts.parent != FileRecord(base).facts.parent, try !wait.covers(row) else {
            return false
        }
        return try tree.refusal(of: row, refused) == nil && tree.obstacle(to: record) == nil
    }

    /// Finds which of these a file is in, for the server.
    private func holders(among files: Set<FileID>) -> FilesAbove {
        server.filesAbove(where: files.contains)
    }
}

extension DepartureWait {
    /// Adds what wants the place of what goes, or of what waits for it.
    /// - Parameter ahead: what takes another name until its own is free.
    mutating func includeWanting(_ changed: [FileRow], besides ahead: Set<FileID>) throws {
        var isDone = false
        while !isDone {
            // All of them at once: what is known of the ways up is forgotten with each change.
            var wanting: Set<FileID> = []
            for row in changed where !ahead.contains(row.id) {
                guard let local = row.local, try !covers(row), try holds(FileRecord(local).facts)
                else { continue }
                wanting.insert(row.id)
            }
            names.formUnion(wanting)
            isDone = wanting.isEmpty
        }
    }
}

extension LocalTree {
    /// Whether a file leaves a scope, or takes a scope, or what does not open, along into another one.
    /// - Parameter inner: knows which folders something of that goes with.
    func crosses(_ row: FileRow, _ server: BaseFacts, _ inner: FoldersHolding) throws -> Bool {
        guard let base = row.base, let local = row.local else { return false }
        let (old, new) = (try FileRecord(base).facts, try FileRecord(local).facts)
        guard old.scope != row.id else {
            guard old.parent != new.parent, let folder = try self.row(new.parent) else {
                return false
            }
            return try server.facts(old.parent)?.scope != scope(of: folder)
        }
        guard old.scope != new.scope, row.id != root else { return false }
        guard try staysInside(old.scope, new.scope) else { return true }
        return try row.type == .folder && inner.holds(row.id)
    }
}
