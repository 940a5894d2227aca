import LockbookModel

extension DiskExport {
    /// Makes room on a disk that is full: what is in the trash of the lockbook has no new name, so it need
    /// not wait until all else is written.
    /// - Returns: whether something was removed.
    mutating func makeRoom(after plan: ExportPlan) throws -> Bool {
        let problems = report.problems
        var lockbooks = [plan.top.lockbook]
        lockbooks += plan.links.values.compactMap { $0.place?.lockbook }
        var trashed: Set<BlobPrefix> = []
        var owners: Set<AccountID> = []
        for lockbook in lockbooks where owners.insert(lockbook.store.context.owner).inserted {
            trashed.formUnion(try lockbook.store.read { try $0.contentsInTrash() })
        }
        let before = report.removed
        try removeGone(after: plan, .trashed(trashed))
        // What stays is told by the export that comes to its end.
        report.problems = problems
        if report.removed > before { try target.finishNames() }
        return report.removed > before
    }
}

extension TransferReport {
    /// What an export did, with what it had done before it found no room and began again.
    func joined(to first: TransferReport) -> TransferReport {
        var report = self
        report.created += first.created
        report.updated += first.updated
        report.removed += first.removed
        report.bytes += first.bytes
        report.unchanged = max(0, unchanged - first.created - first.updated)
        report.unprotected = first.unprotected ?? unprotected
        report.undated = first.undated ?? undated
        return report
    }
}
