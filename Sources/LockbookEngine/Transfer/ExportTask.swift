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

    /// Writes documents whose contents were looked up, on all cores: all of them beside their
    /// places first; where one replaces another file they are made durable at once; then each takes
    /// its place.
    /// - Returns: for each how it went; nil for a content that has to be fetched first.
    static func run(
        _ tasks: [ExportTask],
        _ contents: [OpenedContent],
        synchronizing: () throws -> Void
    ) throws -> [Result<ExportOutcome, any Error>?] {
        let work = zip(tasks, contents).enumerated()
            .map { (number: $0, task: $1.0, content: $1.1) }
        // Every lane has a stretch of the tree: two that wrote into one folder would wait for
        // each other.
        let count = (work.count + laneCount - 1) / laneCount
        let lanes = stride(from: 0, to: work.count, by: max(1, count)).map { $0 }
        let written = try concurrentMap(lanes) { start in
            work[start..<min(work.count, start + count)].map { number, task, content in
                task.write(content, number: number)
            }
        }.flatMap { $0 }
        // What is new takes nobody's place, and is durable when the whole export is.
        let replaces = zip(tasks, written).contains { task, result in
            task.isUpdate && (try? result?.get()) != nil
        }
        do {
            if replaces { try synchronizing() }
        } catch {
            for (task, result) in zip(tasks, written) {
                if let file = try? result?.get() { task.place.discard(file.number) }
            }
            throw error
        }
        return zip(tasks, written).map { task, result in
            result.map { result in Result { task.outcome(try task.place.keep(try result.get())) } }
        }
    }

    private static let laneCount = 8

    private func write(_ content: OpenedContent, number: Int)
        -> Result<ExportPlace.Written, any Error>?
    {
        if case .absent = content { return nil }
        return Result {
            try place.write(item, number: number) { file in
                guard case .here(var reader) = content else { return }
                try file.write(try reader.bytes())
            }
        }
    }
}
