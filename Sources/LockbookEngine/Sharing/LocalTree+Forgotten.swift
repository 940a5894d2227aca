import GRDB
import LockbookCrypto
import LockbookModel

/// Keys that are not taken for anybody's any more, because somebody said so on a device of this account.
extension LocalTree {
    func forgotten() throws -> [AddressBook.Forgotten] {
        try Row.fetchAll(db.cachedStatement(sql: "SELECT account, number FROM forgotten"))
            .compactMap { row in
                guard let account = Hash256(row.bytes(0)) else { return nil }
                return AddressBook.Forgotten(
                    AccountID(hash: account),
                    number: UInt32(clamping: row[1] as Int64)
                )
            }
    }

    func isForgotten(_ account: AccountID) throws -> Bool {
        try Bool.fetchOne(
            db.cachedStatement(sql: "SELECT number % 2 = 1 FROM forgotten WHERE account = ?"),
            arguments: [account.hash.bytes.data]
        ) ?? false
    }

    func setForgotten(_ account: AccountID, _ isForgotten: Bool) throws {
        let entry = try forgotten().first { $0.account == account }
        guard (entry?.isForgotten ?? false) != isForgotten else { return }
        try set(AddressBook.Forgotten(account, number: (entry?.number ?? 0) &+ 1))
        if isForgotten { try letGo(of: account) }
    }

    /// The higher number holds.
    /// - Returns: what was wanted here of those who are forgotten, and is not done.
    func takeForgotten(of book: AddressBook) throws -> [SyncReport.Note] {
        var notes: [SyncReport.Note] = []
        for entry in book.forgotten {
            let wasForgotten = try isForgotten(entry.account)
            try set(entry)
            guard try !wasForgotten && isForgotten(entry.account) else { continue }
            notes += try letGo(of: entry.account)
        }
        return notes
    }

    private func set(_ entry: AddressBook.Forgotten) throws {
        try db.execute(
            sql: """
                INSERT INTO forgotten (account, number) VALUES (?, ?)
                ON CONFLICT (account) DO UPDATE SET number = max(number, excluded.number)
                """,
            arguments: [entry.account.hash.bytes.data, Int64(entry.number)]
        )
    }

    /// Nobody is known by these keys here, and what another device said of their name is open again.
    @discardableResult
    private func letGo(of account: AccountID) throws -> [SyncReport.Note] {
        let notes = try dropWishes(for: account)
        let key = account.hash.bytes.data
        try db.execute(
            sql: """
                DELETE FROM contact WHERE account = ?
                    OR username IN (SELECT username FROM known WHERE account = ? OR other = ?)
                """,
            arguments: [key, key, key]
        )
        try db.execute(
            sql: "DELETE FROM known WHERE account = ? OR other = ?",
            arguments: [key, key]
        )
        return notes
    }

    /// Gives up to let somebody in whose keys are forgotten; what takes a share from him stays.
    func dropWishes(for account: AccountID) throws -> [SyncReport.Note] {
        let name = try username(of: account)
        return try wishes().filter { $0.grantee == account && $0.mode > .none }.map { wish in
            try forget(wish)
            return SyncReport.Note(
                kind: .notShared,
                id: wish.file.description,
                path: try row(wish.file).map { try path(of: $0) } ?? "id:\(wish.file)",
                detail: "\(name), whose keys were forgotten"
            )
        }
    }

    /// What of this tree is shared with somebody, or is to be, and is not taken back yet; by path.
    func shared(with account: AccountID) throws -> [String] {
        let wishes = try wishes().filter { $0.grantee == account }
        let held = try allGrants().filter { grant in
            AccountID(grant.grantee) == account && grant.mode > .none
                && !wishes.contains { $0.file == grant.file }
        }
        let files = held.map(\.file) + wishes.filter { $0.mode > .none }.map(\.file)
        return try files.compactMap { file in
            guard let row = try row(file), try !isDead(row) else { return nil }
            return try path(of: row)
        }.sorted()
    }

    // MARK: In another account's store

    /// Whether nothing is taken from the owner of this tree, whose keys were forgotten.
    func isOwnerForgotten() throws -> Bool {
        try isForeign && setting(.ownerForgotten) != nil
    }

    /// As if what is shared here had ended.
    func forgetOwner() throws {
        try set(.ownerForgotten, number: 1)
        try forgetPending()
        for wish in try wishes() { try forget(wish) }
    }
}

extension Sync {
    /// Lets go of what those shared whose keys were forgotten, here or on another device.
    mutating func letGoOfForgotten() throws {
        let forgotten = try store.read { try $0.forgotten() }.filter(\.isForgotten).map(\.account)
        guard !forgotten.isEmpty else { return }
        for index in others.indices {
            let other = others[index].store
            if forgotten.contains(other.context.owner) {
                others[index].isEnded = true
                others[index].update = nil
                guard try !other.read({ try $0.isOwnerForgotten() }) else { continue }
                try other.write { try $0.forgetOwner() }
                continue
            }
            let isStale = try other.read { tree in
                try forgotten.contains { try tree.mentions($0) }
            }
            guard isStale else { continue }
            report.notes += try other.write { tree in
                try forgotten.flatMap { try tree.letGoAsMember(of: $0) }
            }
        }
    }

    /// Whether these keys are known again: what their owner shares is followed anew when it is offered.
    func isKnownAgain(_ other: LocalStore) throws -> Bool {
        let owner = other.context.owner
        guard try other.read({ try $0.isOwnerForgotten() }),
            try !store.read({ try $0.isForgotten(owner) })
        else { return false }
        try store.write { try $0.unfollow(owner) }
        try other.write { try $0.set(.ownerForgotten, to: nil) }
        return true
    }
}

extension LocalTree {
    fileprivate func mentions(_ account: AccountID) throws -> Bool {
        try contact(account) != nil
            || wishes().contains { $0.grantee == account && $0.mode > .none }
    }

    fileprivate func letGoAsMember(of account: AccountID) throws -> [SyncReport.Note] {
        let notes = try dropWishes(for: account)
        try db.execute(
            sql: "DELETE FROM contact WHERE account = ?",
            arguments: [account.hash.bytes.data]
        )
        // Paths here are none that a person knows.
        return notes.map { note in
            var note = note
            note.path = "id:" + note.id
            return note
        }
    }
}
