import LockbookModel

/// A version that was found and opens, with what the file was then.
struct ReadableVersion {
    let found: FoundVersion
    let file: File

    /// Whether it was taken back to what this device had pushed before it made it.
    ///
    /// A deletion that was taken back is under what is there again, which tells of that.
    fileprivate func isTakenBack(to agreed: ReadableVersion) -> Bool {
        guard let end = found.replaced, let pushed = agreed.found.changed else { return false }
        return pushed < end && agreed.file.device == file.device
            && !agreed.file.isDeleted && !file.isDeleted
    }

    /// Whether the server had it before something of this device alone was replaced.
    fileprivate func isBefore(_ other: ReadableVersion) -> Bool {
        if let turn = found.turn, let later = other.found.turn { return turn < later }
        guard let end = other.found.replaced, let time = found.changed else {
            return file.modified <= other.file.modified
        }
        return time <= end
    }
}

extension [ReadableVersion] {
    /// The server's by their positions, those that it did not tell of last; those of this device
    /// alone between them: before what was pushed when they had been replaced already.
    ///
    /// Those of this device alone, which come the newest first, stay in that order: a clock that was
    /// put back gives a later one the earlier time. None stands below an older one for its time.
    /// - Parameter row: the file as it is now. Where that is what the server has, it replaced all
    ///   that was kept here, but for what was taken back to it.
    func ordered(newest row: FileRow) -> [ReadableVersion] {
        var list = filter { !$0.found.isUnsynced }
            .sorted { ($0.found.position ?? 0) > ($1.found.position ?? 0) }
        let present = list.firstIndex { row.local == nil && $0.found.record.bytes == row.base }
        let agreed = present.map { (start: $0 + 1, version: list[$0]) }
        let own = filter { $0.found.isUnsynced }
        // The oldest first: above the one before it stand the server's alone.
        var place = list.count
        for item in own.reversed() where item.found.record.bytes != row.local {
            let start = agreed.map { item.isTakenBack(to: $0.version) ? 0 : $0.start } ?? 0
            let older = list[Swift.min(start, place)..<place].firstIndex {
                $0.found.record.bytes != row.local && $0.isBefore(item)
            }
            place = older ?? place
            list.insert(item, at: place)
        }
        list.insert(contentsOf: own.filter { $0.found.record.bytes == row.local }, at: 0)
        return list
    }

    /// What made one of a file's versions, in their order, another one than that before it.
    ///
    /// A write that met a deletion of which its device did not know stands between the deletion and
    /// what is still deleted: nobody restored anything, and what it changed is what was there before.
    func change(at index: Int) -> FileVersion.Change {
        let item = self[index]
        let older = self[(index + 1)...]
        let newer = self[..<index].last(where: { $0.found.replaced == nil })
        let isOvertaken =
            item.found.replaced != nil && !item.file.isDeleted && newer?.file.isDeleted == true
        let before = isOvertaken ? older.first(where: { !$0.file.isDeleted }) : older.first
        return LocalTree.change(from: before?.file, to: item.file)
    }

    /// When a version was made; of a change on this device whose time is not known any more, the
    /// earliest that can be.
    func time(at index: Int, of change: FileVersion.Change) -> Timestamp {
        let item = self[index]
        let older = index + 1 < count ? self[index + 1] : nil
        let isBackInTime = older.map { item.file.modified < $0.file.modified } ?? false
        if change == .made || change == .edited, !isBackInTime { return item.file.modified }
        if let changed = item.found.changed { return changed }
        guard item.found.isUnsynced, let older else { return item.file.modified }
        return Swift.max(item.file.modified, older.found.changed ?? older.file.modified)
    }
}
