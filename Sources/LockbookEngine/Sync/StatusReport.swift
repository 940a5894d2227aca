/// How a lockbook stands, from this device alone.
public struct StatusReport: Sendable, Equatable, Codable {
    public var username: String
    public var server: String
    /// Whether the server knows the account.
    public var registered: Bool
    /// Whether nothing of the account is on this device yet, which a sync brings; nil where it is here.
    public var unfetched: Bool?
    /// When its owner deleted the account, in milliseconds since 1970, as far as this device was told; nil
    /// for one that is there.
    public var deleted: Int64?
    /// Milliseconds since 1970 of the last complete sync.
    public var lastSync: Int64?
    /// The newest log entry known: position and the first digits of its hash, to compare devices.
    public var position: UInt64?
    public var head: String?
    /// What is known of that entry; nil before the first sync.
    public var newest: NewestEntry?
    /// What a sync would push.
    public var changes: [Change]
    public var documents: Int
    public var folders: Int
    /// Links to what others share; nil for none.
    public var links: Int?
    /// Documents whose contents are not on this device.
    public var notHere: Int
    /// Why the last sync stopped, and what it asks; nil when it came through.
    public var stopped: SyncStop?
    /// What automatic syncs have to say; nil when that is nothing.
    public var background: BackgroundSyncNote?
    /// A sync that was refused, or refused what it was given; nil when one came through since.
    public var failed: FailedSync?
    /// What merges left to be decided.
    public var conflicts: Int
    /// How much others offer that was neither accepted nor rejected; nil for nothing.
    public var offers: Int?
    /// How many invitations of this account wait for somebody to use them; nil for none.
    public var invitations: Int?
    /// Whose invitations were accepted here whose next sync is awaited; nil for nobody's.
    public var awaited: [String]?
    /// What was promised by them; nil for nothing.
    public var awaitedShares: [AwaitedShare]?
    /// Who gives what is shared to this account for good, until it is accepted; nil for nobody.
    public var givers: [String]?
    /// How many shares of this account were given to others and are not theirs yet; nil for none.
    public var transfers: Int?
    /// How many changes of shares wait for a sync, those about people, offers and invitations as one
    /// where nothing else waits; nil for none.
    public var shares: Int?
    /// Which of them no sync can make as it is, and why; nil for none.
    public var heldShares: [HeldShare]?

    public struct Change: Sendable, Equatable, Codable {
        public enum Kind: String, Sendable, Codable {
            case new, changed, renamed, moved, deleted
            /// Is to be gone for good.
            case purged
        }
        public var kind: Kind
        public var id: String
        public var path: String
        /// Why the server would not have it in the last sync; nil when it was not refused.
        public var refused: String?
        /// Why it waits for something else that a sync has to do first; nil when it does not.
        public var heldBack: String?
    }
}
