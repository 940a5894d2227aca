extension DiskExport {
    /// Removes what an export that was killed left in folders that are not in the lockbook any more.
    ///
    /// Nothing is written there again, which is when the others are cleared.
    func removeLeftovers(outside plan: ExportPlan) {
        let folders = ledger.memory.folders.values
            .filter {
                $0.source.isSame(as: plan.top.exported) && !plan.spared.contains($0.path)
                    && plan.folders[$0.path] == nil && !$0.path.isEmpty
            }
            .sorted { PathKey($0.path) < PathKey($1.path) }
        var chain = FolderChain(below: target.top)
        for folder in folders {
            guard let open = try? chain.folder(folder.path) else { continue }
            target.removeLeftovers(in: open)
        }
    }
}
