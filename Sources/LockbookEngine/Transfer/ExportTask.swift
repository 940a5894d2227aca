import Glibc
import LockbookCrypto
import LockbookModel

/// What became of one item of an export.
enum ExportOutcome: Sendable {
    case folder(stat, isMade: Bool)
    case created(ExportedFile)
    case updated(ExportedFile)
    case unchanged(ExportedFile)
    /// The bytes were there, with another executable bit.
    case marked(ExportedFile)
    case refused(String)
    /// A folder stands where the document belongs, or the reverse.
    case blocked(String)
    /// An earlier copy of another note stands where the document belongs.
    case displaces(FileID)
}

/// A document that is to be written, and where.
struct ExportTask: Sendable {
    let item: ExportItem
    var place: ExportPlace
    /// What it takes the place of; nil when nothing stood there.
    let replaced: DiskStamp?
    /// Whether that is what an export wrote, copied or touched since.
    var isCopy = false

    /// Puts what was written in its place.
    func keep(_ written: ExportPlace.Written) throws -> ExportOutcome {
        guard try place.keep(written, over: replaced) else {
            return .refused("something else was put there while the export ran")
        }
        let file = ExportedFile(item, status: written.status, digest: written.digest)
        return replaced == nil ? .created(file) : .updated(file)
    }

    /// Writes documents whose contents were looked up beside their places, on all cores.
    /// - Parameter numbers: which of the files that are beside their places at once each is.
    /// - Returns: for each how it went; nil for a content that has to be fetched first.
    static func write(_ tasks: [ExportTask], _ contents: [OpenedContent], _ numbers: Range<Int>)
        throws -> [Result<ExportPlace.Written, any Error>?]
    {
        let work = zip(numbers, zip(tasks, contents))
            .map { (number: $0, task: $1.0, content: $1.1) }
        // Every lane has a stretch of the tree: two that wrote into one folder would wait for
        // each other.
        return try concurrentMap(stretches: 8, of: work) { lane in
            lane.map { number, task, content in task.write(content, number: number) }
        }
    }

    private func write(_ content: OpenedContent, number: Int)
        -> Result<ExportPlace.Written, any Error>?
    {
        if case .absent = content { return nil }
        return Result { () throws -> ExportPlace.Written in
            var hasher = Hasher256()
            var written = try place.write(item.style, number: number) { file in
                guard case .here(var reader) = content else { return }
                let bytes = try reader.bytes()
                hasher.update(bytes)
                try file.write(bytes)
            }
            written.digest = hasher.finish()
            return written
        }
    }
}
