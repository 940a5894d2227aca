import LockbookCrypto

extension Lockbook {
    /// Writes a folder or document to the disk, decrypted, as `cp -r` does.
    ///
    /// Files appear whole or not at all, never through a symbolic link, for this user alone. What
    /// an earlier export wrote is brought up to date; a differing file that none wrote is left
    /// alone and reported, unless forced. Where neither the lockbook nor the disk changed since,
    /// nothing is opened, written or waited for.
    public func export(
        _ reference: FileReference,
        to destination: String,
        options: ExportOptions,
        progress: (TransferProgress) -> Void
    ) async throws -> TransferReport {
        try await across(reference) {
            let isFolder = Disk.isFolder(destination)
            var report = try await exportHere(
                reference,
                to: destination,
                options: options,
                progress: progress
            )
            for (place, name, folder) in try exportedLinks(below: reference, isFolder) {
                let other = try await place.lockbook.exportHere(
                    place.reference,
                    named: name,
                    to: folder.isEmpty ? destination : destination + "/" + folder,
                    options: options,
                    progress: progress
                )
                report.add(other, place.own)
            }
            return report
        } there: { place in
            var report = TransferReport()
            report.add(
                try await place.lockbook.exportHere(
                    place.reference,
                    named: place.reference == .path(place.top) ? place.linkName : nil,
                    to: destination,
                    options: options,
                    progress: progress
                ),
                place.own
            )
            return report
        }
    }

    private func exportHere(
        _ reference: FileReference,
        named name: String? = nil,
        to destination: String,
        options: ExportOptions,
        progress: (TransferProgress) -> Void
    ) async throws -> TransferReport {
        do {
            let top = try store.read { try $0.exportTop(reference, named: name) }
            let target = try ExportTarget(
                destination,
                of: top,
                tag: environment.random.bytes(8).hex
            )
            try target.lock(alone: options.mirror)
            let (sealed, directories) = try store.read { tree in
                (try tree.exported(at: target.identity), try tree.directoryStamps())
            }
            let memory = try ExportMemory(opening: sealed, with: account.deviceKey)
            let unchanged = try memory.unchanged(
                below: target.top,
                of: top.id,
                directories: directories,
                removing: options.mirror
            )
            let plan = try store.read {
                try $0.exportPlan(top, memory: memory, sparing: unchanged)
            }
            var writing = DiskExport(
                lockbook: self,
                target: target,
                ledger: ExportLedger(source: top.id, memory: memory),
                options: options
            )
            do {
                try await writing.write(plan, progress: progress)
            } catch {
                // The next export has to know what this one wrote before it failed.
                try? remember(writing, plan)
                throw error
            }
            try remember(writing, plan)
            return writing.report
        } catch let failure as DiskFailure {
            throw LockbookError.io(path: failure.path, reason: failure.reason)
        }
    }

    private func remember(_ writing: DiskExport, _ plan: ExportPlan) throws {
        let (folders, forgotten) = writing.ledger.changes(after: plan)
        guard !folders.isEmpty || !forgotten.isEmpty else { return }
        try store.write { tree in
            try tree.remember(folders, forgetting: forgotten, at: writing.target.identity)
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
