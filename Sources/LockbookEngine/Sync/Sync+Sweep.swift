import LockbookModel

extension Sync {
    /// Removes what is left over of this account's contents, and of what others share with it.
    func sweep() throws {
        let isUnchanged = report.pulled.isEmpty && report.pushed.isEmpty && !isGone
        for store in [store] + others.map(\.store) + unfollowed {
            try sweep(store, isWhole: !isUnchanged)
        }
    }

    /// Removes the files of contents that nothing names any more.
    private func sweep(_ store: LocalStore, isWhole: Bool) throws {
        guard Disk.exists(store.blobs.path) else { return }
        let due = try store.read { try $0.number(.sweepDue) }
        let isWhole = isWhole || due > 0 && due <= environment.now().milliseconds / 1_000
        let left = try store.read { try $0.sweepBlobs(unfinished: !isWhole) }
        if !left.whole.isEmpty { store.removeFiles(of: left.whole) }
        if isWhole, left.due != due { try? store.write { try $0.set(.sweepDue, number: left.due) } }
    }
}
