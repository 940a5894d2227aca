import LockbookCrypto
import LockbookModel

/// Which segments came, since this process began to ask.
///
/// Kept in memory only: a file that was not synced proves nothing after a crash, so a new process
/// reads it again. So is what there is no room for here.
actor Uploads {
    struct Progress: Sendable {
        let upload: StoredUpload
        fileprivate(set) var received: [Bool]
        /// The first segment that is not here; their number when all are.
        fileprivate(set) var next = 0
        /// When its row last said that it goes on, as far as this process knows.
        fileprivate var renewed: Int64 = 0
        /// Which of those of this name it is: a later one may be of another file.
        fileprivate let number: Int
        /// When it was last asked for, as a number that rises.
        fileprivate var used = 0

        fileprivate init(_ upload: StoredUpload, number: Int) {
            self.upload = upload
            self.number = number
            received = Array(repeating: false, count: upload.segments.count)
        }

        fileprivate mutating func take(_ segments: Range<Int>) {
            for index in segments { received[index] = true }
            while next < received.count, received[next] { next += 1 }
        }
    }

    /// One look into a file for what came; worth nothing when the upload is forgotten meanwhile.
    struct Reading: Hashable {
        fileprivate let key: Key
        fileprivate let number: Int
    }

    fileprivate struct Key: Hashable {
        let owner: AccountKey
        let name: BlobName
    }

    private var all: [Key: Progress] = [:]
    private var segmentCounts: [AccountKey: Int] = [:]
    private var readings: [Key: Reading] = [:]
    private var waiting: [Key: [CheckedContinuation<Void, Never>]] = [:]
    /// Rises with everything that has to be told apart, and with each use.
    private var number = 0
    private let maximumSegmentCount: Int

    init(maximumSegmentCount: Int) {
        self.maximumSegmentCount = maximumSegmentCount
    }

    func progress(of name: BlobName, for owner: AccountKey) -> Progress? {
        let key = Key(owner: owner, name: name)
        number += 1
        all[key]?.used = number
        return all[key]
    }

    /// Begins to read a file, unless another request reads it: then it waits for that.
    /// - Returns: nil when another one has read it.
    func beginReading(_ name: BlobName, for owner: AccountKey) async -> Reading? {
        let key = Key(owner: owner, name: name)
        guard readings[key] == nil else {
            await withCheckedContinuation { waiting[key, default: []].append($0) }
            return nil
        }
        number += 1
        let reading = Reading(key: key, number: number)
        readings[key] = reading
        return reading
    }

    func giveUp(_ reading: Reading) {
        if readings[reading.key] == reading { endReading(reading.key) }
    }

    private func endReading(_ key: Key) {
        readings[key] = nil
        for waiting in waiting.removeValue(forKey: key) ?? [] { waiting.resume() }
    }

    /// Notes what was found of an upload; what another request noted meanwhile stays.
    /// - Returns: nil when the upload was forgotten since then.
    func end(_ reading: Reading, of upload: StoredUpload, intact: Int) -> Progress? {
        let key = reading.key
        guard readings[key] == reading else { return nil }
        defer { endReading(key) }
        number += 1
        var progress = all[key] ?? Progress(upload, number: number)
        progress.take(0..<intact)
        progress.used = number
        if all.updateValue(progress, forKey: key) == nil {
            segmentCounts[key.owner, default: 0] += upload.segments.count
            makeRoom(beside: key)
        }
        return progress
    }

    /// Forgets what the account with the most of it asked for longest ago, while there is too much.
    private func makeRoom(beside new: Key) {
        while segmentCounts.values.reduce(0, +) > maximumSegmentCount,
            let most = segmentCounts.max(by: { $0.value < $1.value })?.key
        {
            let oldest = all.filter { $0.key.owner == most && $0.key != new }
                .sorted { $0.value.used < $1.value.used }.map(\.key)
            // Half of them at once: looking for them takes longer the more there are.
            guard !oldest.isEmpty else { return }
            for key in oldest.prefix((oldest.count + 1) / 2) { drop(key) }
        }
    }

    private func drop(_ key: Key) {
        guard let dropped = all.removeValue(forKey: key) else { return }
        let rest = (segmentCounts[key.owner] ?? 0) - dropped.upload.segments.count
        segmentCounts[key.owner] = rest > 0 ? rest : nil
    }

    /// Notes what was written since an upload was asked for.
    /// - Returns: nil when it is not known any more, also when it has begun again.
    func received(_ segments: Range<Int>, of known: Progress, for owner: AccountKey) -> Progress? {
        let key = Key(owner: owner, name: known.upload.name)
        guard all[key]?.number == known.number else { return nil }
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

    /// Of an account that was deleted.
    func forgetAll(of owner: AccountKey) {
        for key in readings.keys where key.owner == owner { endReading(key) }
        for key in all.keys where key.owner == owner { drop(key) }
    }

    /// Of an upload that is whole, or that was collected or failed: its file says nothing any more.
    func forget(_ name: BlobName, for owner: AccountKey) {
        let key = Key(owner: owner, name: name)
        endReading(key)
        drop(key)
    }
}
