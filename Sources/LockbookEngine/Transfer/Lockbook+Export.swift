import Glibc
import LockbookCrypto
import LockbookModel

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
        var report = TransferReport()
        var written: [ExportedFile] = []
        do {
            let target = try ExportTarget(destination, plan: plan)
            let known = try store.read { try $0.exported(at: target.identity) }
            for item in plan.items {
                do {
                    switch try await write(item, to: target, known: known, options: options) {
                    case .folder: report.folders += 1
                    case .created(let file):
                        report.created += 1
                        report.bytes += item.size
                        written.append(file)
                    case .updated(let file):
                        report.updated += 1
                        report.bytes += item.size
                        written.append(file)
                    case .unchanged(let file):
                        report.unchanged += 1
                        written.append(file)
                    case .refused(let reason):
                        report.problems.append(
                            TransferReport.Problem(
                                path: target.path(of: item.components),
                                reason: reason
                            )
                        )
                    }
                } catch let error as LockbookError {
                    guard error.concernsOneFile else { throw error }
                    report.problems.append(
                        TransferReport.Problem(path: item.path, reason: error.exportSentence)
                    )
                } catch let failure as DiskFailure where failure.code != ENOSPC {
                    report.problems.append(
                        TransferReport.Problem(path: item.path, reason: failure.reason)
                    )
                }
                progress(
                    TransferProgress(
                        files: report.created + report.updated + report.unchanged,
                        bytes: report.bytes,
                        current: item.path
                    )
                )
            }
            try target.finish()
            try store.write { try $0.remember(written, at: target.identity) }
        } catch let failure as DiskFailure {
            throw LockbookError.io(path: failure.path, reason: failure.reason)
        }
        return report
    }

    private func write(
        _ item: ExportItem,
        to target: ExportTarget,
        known: [String: ExportedFile],
        options: ExportOptions
    ) async throws -> ExportOutcome {
        guard item.type == .document else {
            try target.makeFolder(item.components)
            return .folder
        }
        if item.isDamaged { throw LockbookError.damaged(file: item.path, author: "") }
        let present = try target.status(item.components)
        let before = known[item.relativePath]
        if let present {
            guard present.st_mode & S_IFMT == S_IFREG else {
                return .refused("something else than a file stands in its place")
            }
            if let before, before.matches(present), before.version == item.version {
                return .unchanged(before)
            }
            if before == nil || before?.matches(present) == false, !options.force {
                // Nobody's file but equal: nothing to do. Different: not ours to overwrite.
                guard
                    try target.isEqual(
                        item.components,
                        size: item.size,
                        to: { sink in
                            try self.readHere(item, into: sink)
                        }
                    )
                else {
                    return .refused(
                        before == nil
                            ? "a differing file is there that no earlier export wrote"
                            : "it was changed on disk since the last export"
                    )
                }
                return .unchanged(ExportedFile(item, status: present))
            }
        }
        let file = try target.create(item.components, isExecutable: item.isExecutable)
        do {
            try await readContent(item) { try file.write($0) }
            let status = try target.keep(file, item.components, modified: item.modified)
            let exported = ExportedFile(item, status: status)
            return present == nil ? .created(exported) : .updated(exported)
        } catch {
            target.discard(file)
            throw error
        }
    }

    /// Reads what the export began with, or, when that was replaced meanwhile, what is there now.
    private func readContent(_ item: ExportItem, into sink: ([UInt8]) throws -> Void) async throws {
        switch try openHere(item) {
        case .empty: return
        case .here(var reader): try reader.readAll(into: sink)
        case .absent: try await read(.id(prefix: item.id.description), into: sink)
        }
    }

    private func readHere(_ item: ExportItem, into sink: ([UInt8]) throws -> Void) throws {
        switch try openHere(item) {
        case .empty: return
        case .absent(let content): throw LockbookError.contentNotHere(path: content.path)
        case .here(var reader): try reader.readAll(into: sink)
        }
    }

    private func openHere(_ item: ExportItem) throws -> OpenedContent {
        guard let file = item.file else { return .empty }
        return try store.read { try $0.openContent(of: file, path: item.path) }
    }
}

private enum ExportOutcome {
    case folder
    case created(ExportedFile)
    case updated(ExportedFile)
    case unchanged(ExportedFile)
    case refused(String)
}

extension LockbookError {
    fileprivate var exportSentence: String {
        switch self {
        case .contentNotHere: "its content is on the server alone, which cannot be reached"
        case .damaged: "it is damaged and does not open"
        case .notFound: "it was deleted meanwhile"
        default: "\(self)"
        }
    }
}
