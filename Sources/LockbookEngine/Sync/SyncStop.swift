import FoundationEssentials

/// Why a sync stopped before it changed anything: it waits for somebody to look and decide.
///
/// The limits: more than half of 20 or more files, or more than 500, deleted; more than nine tenths of
/// 20 or more documents, more than half of 200 or more, or more than 5,000, replaced by one entry of the
/// log; more than 10 purged because they do not open on this device.
public struct SyncStop: Sendable, Equatable, Codable {
    public enum Kind: String, Sendable, Codable, CaseIterable {
        /// What was done elsewhere would delete so much here.
        case pulledDeletions
        /// What waits on this device would delete so much elsewhere, and no command here asked for
        /// it in the last week.
        case pushedDeletions
        /// One change made elsewhere gives so many documents another content or name.
        case replacedTree
        /// With a share that is taken back, so much in it would be purged that does not open.
        case damagePurge
    }

    public var kind: Kind
    /// How many files would be deleted, or documents replaced.
    public var count: Int
    /// Of how many that are here.
    public var total: Int
    /// The id of the device that made the change, where it was one device.
    public var device: String?
    /// Who shares all that this is about with this account; nil where it is the account's own.
    public var sharer: String?

    init(_ kind: Kind, count: Int, of total: Int, device: String? = nil) {
        self.kind = kind
        self.count = count
        self.total = total
        self.device = device
    }

    /// Fewer are never too many: no limit is reached by them.
    static let harmlessCount = 10

    /// Whether this many of so many files deleted are too many to go on without asking.
    static func isMassDeletion(_ count: Int, of total: Int) -> Bool {
        count > 500 || (total >= 20 && count * 2 > total)
    }

    /// Whether this many of so many documents replaced are a replaced tree.
    ///
    /// Of a small notebook much is edited in one afternoon without a network; an edit keeps what it
    /// replaces in the history, so a share is enough to be asked about that no afternoon reaches.
    static func isReplacedTree(_ count: Int, of total: Int) -> Bool {
        count > 5_000 || (total >= 20 && count * 10 > total * 9)
            || (total >= 200 && count * 2 > total)
    }
}

extension LocalTree {
    /// Why the last sync stopped; nil when it did not.
    func lastStop() throws -> SyncStop? {
        try setting(.stop).flatMap { try? JSONDecoder().decode(SyncStop.self, from: Data($0)) }
    }

    func remember(_ stop: SyncStop?) throws {
        try set(.stop, to: try stop.map { Array(try JSONEncoder().encode($0)) })
    }
}
