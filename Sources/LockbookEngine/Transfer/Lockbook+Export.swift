import LockbookCrypto

extension Lockbook {
    /// Writes a folder or document to the disk, decrypted, as `cp -r` does.
    ///
    /// Files appear whole or not at all, never through a symbolic link, for this user alone. What
    /// an earlier export wrote is brought up to date; a differing file that none wrote is left
    /// alone and reported, unless forced.
    public func export(
        _ reference: FileReference,
        to destination: String,
        options: ExportOptions,
        progress: (TransferProgress) -> Void
    ) async throws -> TransferReport {
        let plan = try store.read { try $0.exportPlan(reference) }
        do {
            let target = try ExportTarget(
                destination,
                plan: plan,
                tag: environment.random.bytes(8).hex
            )
            let known = try store.read { try $0.exported(at: target.identity) }
            var writing = DiskExport(
                lockbook: self,
                target: target,
                known: known,
                force: options.force
            )
            // Fetching what is not here takes a while: its progress is shown file by file.
            do {
                for batch in DiskExport.batches(of: plan.items) {
                    try await writing.write(batch)
                    progress(writing.progress)
                }
                try target.finish()
            } catch {
                // The next export has to know what this one wrote before it failed.
                try? remember(writing, known, target)
                throw error
            }
            try remember(writing, known, target)
            return writing.report
        } catch let failure as DiskFailure {
            throw LockbookError.io(path: failure.path, reason: failure.reason)
        }
    }

    private func remember(
        _ writing: DiskExport,
        _ known: [String: ExportedFile],
        _ target: ExportTarget
    ) throws {
        guard !writing.written.isEmpty else { return }
        try store.write { tree in
            try tree.remember(writing.written, known: known, at: target.identity)
        }
    }
}

extension LockbookError {
    var exportSentence: String {
        switch self {
        case .contentNotHere: "its content is on the server alone, which cannot be reached"
        case .damaged: "it is damaged and does not open"
        case .notFound: "it was deleted meanwhile"
        default: "\(self)"
        }
    }
}
