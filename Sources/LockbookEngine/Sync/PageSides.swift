import LockbookCrypto
import LockbookModel

/// A page and what was changed here, as they are to be laid over each other.
struct PageSides {
    let page: VerifiedPage
    /// What the page purges.
    let gone: Set<FileID>
    /// Its records, opened.
    let remote: RemoteRecords
    /// Those over which this device puts what was there before.
    let overruled: [OverruledRecord]
    /// Whether files come to stand in other places of what is shared.
    let isReseated: Bool
    /// What the page has that was not agreed already, but the root.
    let news: [FileID: File]
    /// The root, where only what its body says may be new.
    let newRoot: File?
    /// What was changed here, as it is stored.
    let stored: [FileID: File]
    /// The same as it is merged: what stood in folders that are gone has its place in others.
    let local: [FileID: File]
    /// What lives on here of what is gone.
    let survivors: [FileRow]
    /// The folders that were made anew for it.
    let folders: GoneFolders
}

extension LocalTree {
    /// Opens and validates a page, and what it meets here.
    func sides(of page: VerifiedPage) throws -> PageSides {
        let gone = try purged(by: page)
        try validate(page, gone)
        var remote = try RemoteRecords(page.records, in: self)
        let overruled = try remote.takeOverruled(by: self)
        let isReseated = try page.shares != nil && changesSeats(page.records)
        let stored = try changedHere(page, remote, overruled, gone)
        // What is agreed already is no news.
        var news = try remote.files.filter { try row($0.key)?.base != page.records[$0.key]?.bytes }
        // Of a root that is here only what its body says may be new, which needs no merging.
        let newRoot = try row(root) == nil ? nil : news.removeValue(forKey: root)
        let survivors = try survivors(of: gone, told: page.shares)
        var local = stored
        let folders = try remake(survivors, of: gone, news, told: page.shares, in: &local)
        return PageSides(
            page: page,
            gone: gone,
            remote: remote,
            overruled: overruled,
            isReseated: isReseated,
            news: news,
            newRoot: newRoot,
            stored: stored,
            local: local,
            survivors: survivors,
            folders: folders
        )
    }

    /// What was changed here and meets a page.
    private func changedHere(
        _ page: VerifiedPage,
        _ remote: RemoteRecords,
        _ overruled: [OverruledRecord],
        _ gone: Set<FileID>
    ) throws -> [FileID: File] {
        let changed = try changedRows().filter { !$0.isDamaged && !gone.contains($0.id) }
        for row in changed where page.records[row.id].map({ $0.bytes != row.base }) ?? false {
            try requireReadable(row)
        }
        var rows = changed.filter { remote.damaged[$0.id] == nil }
        let giving = try givingWay(rows.filter { remote.files[$0.id] != nil })
        rows.removeAll { giving.contains($0.id) }
        var local: [FileID: File] = [:]
        for row in rows {
            // What stands below a folder that does not open stays as it is.
            guard let file = try opened(row) else { continue }
            local[row.id] = file
            // What was deleted here with a folder that is gone now must not come to life without it.
            if try gone.contains(row.parent) && !row.isDeleted && isDead(row) {
                local[row.id] = file.settledBelowDead(base: try base(row))
            }
        }
        for record in overruled where !gone.contains(record.record.facts.id) {
            let facts = record.record.facts
            guard let row = try row(facts.id) else { continue }
            if local[facts.id] == nil { local[facts.id] = try file(row) }
            if record.laterKey != nil { local[facts.id]?.epoch = facts.epoch }
        }
        return local
    }

    /// Client and server run the same validator.
    ///
    /// A checkpoint also brings what this device has already, its root for one: that is no change.
    private func validate(_ page: VerifiedPage, _ gone: Set<FileID>) throws {
        let changes = try page.records.values.filter {
            try row($0.facts.id)?.base != $0.bytes
        }
        var validator = PushValidator(
            before: try BaseFacts(tree: self),
            owner: owner,
            refusesDead: false,
            tops: try Set(changes.map(\.facts).filter(isTop).map(\.id)).union(try tops()),
            entryCount: page.newest.position &+ 1
        )
        // Who wrote what was looked at entry by entry where several people do.
        let author = page.shares == nil ? owner : nil
        try validator.validate(changes.map(\.facts), purging: gone, by: author) { _ in true }
    }
}
