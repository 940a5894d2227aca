import Glibc
import LockbookModel

extension DiskExport {
    /// Counts an outcome; what concerns one file alone is reported, and the rest goes on.
    mutating func note(
        _ item: ExportItem,
        _ outcome: (DiskExport) throws -> ExportOutcome?
    ) throws {
        do {
            switch try outcome(self) {
            case nil: return
            case .folder(let status, let isMade):
                report.folders += 1
                hasWritten = hasWritten || isMade
                ledger.note(folder: item.relativePath, status, made: isMade)
            case .created(let file):
                report.created += 1
                written(item, file)
            case .updated(let file):
                report.updated += 1
                written(item, file)
            case .unchanged(let file):
                report.unchanged += 1
                ledger.keep(item, file)
            case .marked(let file):
                report.updated += 1
                hasWritten = true
                ledger.keep(item, file)
            case .refused(let reason): left(item, target.path(of: item.components), reason)
            case .blocked(let reason): block(item, reason)
            }
        } catch let error as LockbookError {
            guard error.concernsOneFile else { throw error }
            left(item, item.path, error.exportSentence)
        } catch let failure as DiskFailure where failure.code == ENOTDIR {
            block(item, failure.reason)
        } catch let failure as DiskFailure where !failure.isNoSpace {
            left(item, target.path(of: item.components), failure.reason)
        }
    }

    private mutating func written(_ item: ExportItem, _ file: ExportedFile) {
        report.bytes += item.size
        hasWritten = true
        ledger.note(item, file)
    }

    private mutating func left(_ item: ExportItem, _ path: String, _ reason: String) {
        ledger.leave(item)
        problem(path, reason)
    }

    /// What an export wrote in the way may be removed later.
    private mutating func block(_ item: ExportItem, _ reason: String) {
        guard options.mirror, !isLast else {
            return left(item, target.path(of: item.components), reason)
        }
        blocked.append(item)
    }

    /// Writes what was in the way of something that was removed meanwhile.
    mutating func writeBlocked() async throws {
        isLast = true
        let items = blocked
        blocked = []
        try await write(items) { _ in }
    }

    mutating func problem(_ path: String, _ reason: String) {
        report.problems.append(TransferReport.Problem(path: path, reason: reason))
    }
}

extension DiskFailure {
    /// Whether nothing more can be written at all.
    var isNoSpace: Bool { code == ENOSPC || code == EDQUOT }
}
