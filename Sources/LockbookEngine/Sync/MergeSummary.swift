import LockbookCrypto
import LockbookModel

/// How a page was merged, or what has to be known first.
enum MergeResult {
    case done(MergeSummary)
    /// With what was told by the page already.
    case questions([OpenQuestion], MergeSummary)
}

struct MergeSummary {
    var paths: [String] = []
    var notes: [SyncReport.Note] = []
    /// Files of an entry of ours whose answer had been lost.
    var confirmed: [String] = []
    /// Whether that entry told of people, offers or invitations.
    var people = false
    /// What is gone for good.
    var purged: [String] = []
    /// What others moved out of this account's sight.
    var left: [String] = []
    /// Where live files stood that others moved into another folder of what they share.
    var moved: [FileID: String] = [:]
    /// What others deleted, without a word of this device's against it.
    var deleted: [String] = []
    /// Names that this device met with other keys than the log says.
    var disputed: [String] = []
    /// What of another account's was taken back from this one, and shared with it again.
    var renewed: Set<FileID> = []
}

/// How two contents came together, and which ones they were.
struct ContentAnswer {
    let outcome: ContentOutcome
    let local: ContentIdentity?
    let remote: ContentIdentity?
}

extension ContentAnswer {
    /// A content that was sealed for the answer alone, and the file that it is for.
    func sealed(for question: OpenQuestion) -> (blob: BlobName, file: FileID)? {
        switch outcome {
        case .same: nil
        case .merged(let content, _): (content.blob, question.remote.id)
        case .keepBoth(let copy, let content): content.map { ($0.blob, copy) }
        }
    }
}

/// Two contents to be joined, with the files they are of.
struct OpenQuestion {
    let question: ContentQuestion
    let base: File?
    let local: File
    let remote: File
    /// What the account is called that wrote the remote one.
    let writer: String

    /// The size of the largest content.
    var byteCount: UInt64 { max(local.size, remote.size, base?.size ?? 0) }
}
