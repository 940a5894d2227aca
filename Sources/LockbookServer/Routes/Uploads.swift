import LockbookCrypto
import LockbookModel

/// Which segments came, since this process began to ask.
///
/// Kept in memory only: a file that was not synced proves nothing after a crash, so a new process
/// reads it again.
actor Uploads {
    struct Progress: Sendable {
        let upload: StoredUpload
        fileprivate(set) var received: [Bool]
        /// The first segment that is not here; their number when all are.
        fileprivate(set) var next = 0
        /// When its row last said that it goes on, as far as this process knows.
        fileprivate var renewed: Int64 = 0
        /// In which round it was begun: a later one may be of another file.
        fileprivate let round: Int

        fileprivate init(_ upload: StoredUpload, in round: Int) {
            self.upload = upload
            self.round = round
            received = Array(repeating: false, count: upload.segments.count)
        }

        fileprivate mutating func take(_ segments: Range<Int>) {
            for index in segments { received[index] = true }
            while next < received.count, received[next] { next += 1 }
        }
    }

    private struct Key: Hashable {
        let owner: AccountKey
        let name: BlobName
    }

    private var all: [Key: Progress] = [:]
    /// How often something was forgotten.
    private(set) var round = 0

    func progress(of name: BlobName, for owner: AccountKey) -> Progress? {
        all[Key(owner: owner, name: name)]
    }

    /// Notes what was found of an upload; what another request noted meanwhile stays.
    /// - Returns: nil when something was forgotten since that round.
    func begin(
        _ upload: StoredUpload,
        intact: Int,
        in round: Int,
        for owner: AccountKey
    ) -> Progress? {
        guard round == self.round else { return nil }
        let key = Key(owner: owner, name: upload.name)
        var progress = all[key] ?? Progress(upload, in: round)
        progress.take(0..<intact)
        all[key] = progress
        return progress
    }

    /// Notes what was written since an upload was asked for.
    /// - Returns: nil when it was forgotten meanwhile, also when it has begun again.
    func received(_ segments: Range<Int>, of known: Progress, for owner: AccountKey) -> Progress? {
        let key = Key(owner: owner, name: known.upload.name)
        guard all[key]?.round == known.round else { return nil }
        all[key]?.take(segments)
        return all[key]
    }

    /// Whether its row is to say again that it goes on.
    func renews(
        _ name: BlobName,
        for owner: AccountKey,
        at now: Int64,
        ifOlderThan seconds: Int64
    ) -> Bool {
        let key = Key(owner: owner, name: name)
        guard let known = all[key], now - known.renewed > seconds else { return false }
        all[key]?.renewed = now
        return true
    }

    /// Of an upload that is whole, or that was collected or failed: its file says nothing any more.
    func forget(_ name: BlobName, for owner: AccountKey) {
        round += 1
        all[Key(owner: owner, name: name)] = nil
    }
}
