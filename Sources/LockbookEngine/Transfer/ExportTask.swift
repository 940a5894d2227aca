import Glibc
import LockbookModel

/// What became of one item of an export.
enum ExportOutcome: Sendable {
    case folder(stat, isMade: Bool)
    case created(ExportedFile)
    case updated(ExportedFile)
    case unchanged(ExportedFile)
    case refused(String)
    /// A folder stands where the document belongs, or the reverse.
    case blocked(String)
}

/// A document that is to be written, and where.
struct ExportTask: Sendable {
    let item: ExportItem
    let place: ExportPlace
    let isUpdate: Bool

    func outcome(_ status: stat) -> ExportOutcome {
        let file = ExportedFile(item, status: status)
        return isUpdate ? .updated(file) : .created(file)
    }

    /// Writes documents whose contents were looked up, on all cores.
    /// - Returns: for each how it went; nil for a content that has to be fetched first.
    static func run(_ tasks: [ExportTask], _ contents: [OpenedContent]) throws
        -> [Result<ExportOutcome, any Error>?]
    {
        let work = zip(tasks, contents).map { (task: $0, content: $1) }
        // Every lane has a temporary name of its own, and a stretch of the tree: two that wrote
        // into one folder would wait for each other.
        let count = (work.count + ExportPlace.writerCount - 1) / ExportPlace.writerCount
        let lanes = stride(from: 0, to: work.count, by: max(1, count)).map { $0 }
        return try concurrentMap(lanes) { start in
            work[start..<min(work.count, start + count)].map { task, content in
                task.run(content, writer: start / count)
            }
        }.flatMap { $0 }
    }

    private func run(_ content: OpenedContent, writer: Int) -> Result<ExportOutcome, any Error>? {
        if case .absent = content { return nil }
        return Result {
            let status = try place.write(item, writer: writer) { file in
                guard case .here(var reader) = content else { return }
                try file.write(try reader.bytes())
            }
            return outcome(status)
        }
    }
}
