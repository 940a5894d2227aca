import GRDB
import LockbookCrypto
import LockbookModel

/// What the store remembers besides files.
enum Setting: String {
    /// The newest entry known: position and head hash.
    case head
    /// The header of that entry, for people to compare.
    case newestHeader
    /// Where the log ends by the server's word, when that is after the newest entry known.
    case shownEnd
    /// Set once the server has the account.
    case registered
    /// Seconds to add to this device's clock when it signs requests.
    case clockOffset
    /// Bytes that a request or an answer is to carry at most; 0, or none, where no link broke off more.
    case linkPortion
    /// Entries that lie behind the newest checkpoint: records since then.
    case recordsSinceCheckpoint
    /// When files that nothing names may be old enough to be removed, in seconds since 1970.
    case sweepDue
    /// The account's certificate.
    case certificate
    /// The newest entry when the key of this device was written down: the log has to have it.
    case minimumHead
    /// What the server said to be the newest entry, when this device was made, or reads a log anew.
    case shownHead
    /// Why the last sync stopped to ask.
    case stop
    /// What the server would not have in the last sync, and why.
    case refused
    /// What the server had lost when this device went back with it.
    case lost
    /// Grants that the server lost, of those with whom something is to be shared again.
    case lostGrants
    /// What was decided of shares since the entry to which this device went back, where another
    /// device may know less of it.
    case rewoundGrants
    /// What of that, and of what it forgot besides, is as others made it.
    case wordsOfOthers
    /// Set where the server is to be told of open invitations once more.
    case tellsAnew
    /// What another account had shared since, until it does so again.
    case missed
    /// Set where a checkpoint said that something of the tree is or was shared: of that there may be no
    /// grant left.
    case wasShared
    /// The newest entry of another account's log when that was last read from its beginning.
    case readAnew
    /// Who was the last of those that a server named as offering something and that were asked for in vain.
    case vainOffer
    /// Contents that the server did not have in earlier syncs: those first that are asked for first.
    case lostContents
    /// When much was read of a log that was wrong, and why it was not taken, sealed.
    case readInVain
    /// What automatic syncs have to say, sealed.
    case backgroundSync
    /// Why the last sync was refused, until one comes through, sealed.
    case failedSync
    /// The turn of the last command that changed what others share.
    case turn
    /// What the owner of another account's log signed when he deleted his account.
    case ownerEnd
    /// When the owner of this account deleted it, as this device was shown by what he signed, in milliseconds
    /// since 1970.
    case deletion
    /// What a sync did to shares that were taken back, until somebody is told, sealed.
    case untold
    /// How far this device went back with the server, until a sync that came through says so, sealed.
    case untoldRollback
    /// The files that are counted in that.
    case untoldFiles
    /// What another account called what it renamed, until links have followed that, sealed.
    case namesGivenUp
    /// Links of which somebody was told that they lead to what others share, with their places, sealed.
    case toldShares
    /// What was decided of members of shares that go to another owner, and was told to be for that one to do.
    case toldDecisions
    /// Contents that go when it is known what became of the entry that waits: files and names.
    case looseBlobs
}

extension LocalTree {
    func setting(_ key: Setting) throws -> [UInt8]? {
        let statement = try db.cachedStatement(sql: "SELECT value FROM setting WHERE key = ?")
        return try Row.fetchOne(statement, arguments: [key.rawValue])?.bytes(0)
    }

    func set(_ key: Setting, to value: [UInt8]?) throws {
        guard let value else {
            try db.cachedStatement(sql: "DELETE FROM setting WHERE key = ?").execute(arguments: [
                key.rawValue
            ])
            return
        }
        try db.cachedStatement(sql: "INSERT OR REPLACE INTO setting (key, value) VALUES (?, ?)")
            .execute(arguments: [key.rawValue, value.data])
    }

    func number(_ key: Setting) throws -> Int64 {
        guard let bytes = try setting(key) else { return 0 }
        var decoder = CanonicalDecoder(bytes)
        let number = (try? decoder.int64()) ?? 0
        return min(max(number, -Self.farthest), Self.farthest)
    }

    /// What is kept may be added to a time: only what something else wrote lies farther from 0.
    private static var farthest: Int64 { 1 << 60 }

    func set(_ key: Setting, number: Int64) throws {
        var encoder = CanonicalEncoder(reserving: 8)
        encoder.append(number)
        try set(key, to: encoder.bytes)
    }

    func ids(_ key: Setting) throws -> Set<FileID> {
        let bytes = try setting(key) ?? []
        let ids = stride(from: 0, to: bytes.count, by: 16).map {
            FileID(bytes[$0..<min($0 + 16, bytes.count)])
        }
        return Set(ids.compactMap { $0 })
    }

    func set(_ key: Setting, ids: Set<FileID>) throws {
        try set(key, to: ids.isEmpty ? nil : ids.sorted().flatMap(\.bytes))
    }
}
