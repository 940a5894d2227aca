import GRDB
import LockbookCrypto
import LockbookModel

/// The address book: what is known of others here, and what the log says for all devices.
extension LocalTree {
    /// The name as it is known; nil for one that was never met.
    func known(_ username: String) throws -> AddressBook.Name? {
        try Row.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT username, account, verified, blocking FROM known WHERE username = ?
                    """
            ),
            arguments: [username]
        ).flatMap { Self.name($0) }
    }

    func known(_ account: AccountID) throws -> AddressBook.Name? {
        try Row.fetchOne(
            db.cachedStatement(
                sql: "SELECT username, account, verified, blocking FROM known WHERE account = ?"
            ),
            arguments: [account.hash.bytes.data]
        ).flatMap { Self.name($0) }
    }

    /// Remembers for all devices of this account who a name is.
    /// - Throws: `.keyChanged` when one of them met it with other keys, or the keys with another
    ///   name.
    func know(_ username: String, _ account: AccountID) throws {
        if let known = try known(username) {
            let isDisputed = try Bool.fetchOne(
                db.cachedStatement(sql: "SELECT other IS NOT NULL FROM known WHERE username = ?"),
                arguments: [username]
            )
            guard known.account == account, isDisputed != true else {
                throw LockbookError.keyChanged(username: username)
            }
            return
        }
        if let known = try known(account) {
            throw LockbookError.keyChanged(username: known.username.text)
        }
        try db.execute(
            sql: "INSERT INTO known (username, account) VALUES (?, ?)",
            arguments: [username, account.hash.bytes.data]
        )
    }

    func isVerified(_ account: AccountID) throws -> Bool {
        try Bool.fetchOne(
            db.cachedStatement(
                sql: "SELECT max(verified) FROM known WHERE account = ? AND other IS NULL"
            ),
            arguments: [account.hash.bytes.data]
        ) ?? false
    }

    func markVerified(_ account: AccountID) throws {
        try db.execute(
            sql: "UPDATE known SET verified = 1 WHERE account = ?",
            arguments: [account.hash.bytes.data]
        )
    }

    // MARK: In the log

    /// The address book that the log has.
    ///
    /// This account itself is nobody whom it met: an earlier program may have believed a server that took
    /// it for another one. What the log has of that goes with the next change of the book, so that a
    /// device with such a program, which writes it again, has nobody push for that alone.
    /// - Returns: nil where a newer program wrote it, which is left alone.
    func agreedBook() throws -> AddressBook? {
        guard let row = try row(root), let file = try base(row) else { return nil }
        guard !file.bodyExtension.isEmpty else { return .empty }
        return (try? AddressBook(file.bodyExtension))?.without(author)
    }

    /// What the address book should be, as this device knows it.
    private func wantedBook(over agreed: AddressBook) throws -> AddressBook {
        let rows = try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT username, account, verified, blocking, other IS NOT NULL FROM known
                    WHERE account <> ?
                    """
            ),
            arguments: [author.hash.bytes.data]
        )
        let names = rows.filter { !($0[4] as Bool) }.compactMap { Self.name($0) }
        let disputed = Set(rows.filter { $0[4] as Bool }.map { $0[0] as String })
        return AddressBook(
            // What was decided here of one's keys, that they were compared, is nothing about others'.
            names: names + agreed.names.filter { disputed.contains($0.username.text) },
            invitations: try loggedInvitations(),
            transfers: try transfers(),
            answers: try answers()
        )
    }

    /// Puts what the log does not have yet into the root's record, for the next push.
    func writeBook() throws {
        guard !isForeign, let (wanted, agreed) = try books(), wanted != agreed,
            let row = try row(root)
        else { return }
        var file = try file(row)
        file.bodyExtension = wanted.bytes
        file.modified = environment.now()
        try put(file)
    }

    func isBookStale() throws -> Bool {
        try books().map { $0.wanted != $0.agreed } ?? false
    }

    /// Whether the log does not know yet what was decided here, besides who was met.
    func hasUnsyncedDecisions() throws -> Bool {
        try books().map { $0.wanted.decisions != $0.agreed.decisions } ?? false
    }

    /// - Returns: nil where nobody is known, or the log's book is not known or not for this program.
    private func books() throws -> (wanted: AddressBook, agreed: AddressBook)? {
        guard !isForeign, try setting(.registered) != nil else { return nil }
        // Who deals with nobody has none in the log either, which need not be opened for that.
        let isNeeded = try Bool.fetchOne(
            db.cachedStatement(
                sql: "SELECT EXISTS (SELECT 1 FROM known) OR EXISTS (SELECT 1 FROM invitation)"
            )
        )
        guard isNeeded == true, let agreed = try agreedBook() else { return nil }
        return (try wantedBook(over: agreed), agreed)
    }

    /// Accepts the entry that waits, see `acceptPending`.
    /// - Returns: its files without the root, and whether that tells of people, offers or invitations.
    func acceptPendingNews() throws -> (files: [FileID], people: Bool) {
        let before = try agreedBook()?.decisions
        let accepted = try acceptPending()
        let isTold = try accepted.contains(root) && agreedBook()?.decisions != before
        return (accepted.filter { $0 != root }, isTold)
    }

    /// Takes a change of the address book back that was not pushed: it is made anew over what came.
    func unwriteBook() throws {
        guard !isForeign, let row = try row(root), row.local != nil, let base = try base(row) else {
            return
        }
        try put(base)
    }

    /// Takes what the log has, which counts for more than what only this device knows.
    /// - Parameter before: what the log had when this device last looked.
    /// - Returns: names that this device met with other keys, and what was wanted here and is not done.
    func readBook(after before: AddressBook?) throws -> (
        disputed: [String], overtaken: [SyncReport.Note]
    ) {
        guard !isForeign, let book = try agreedBook() else { return ([], []) }
        var disputed: [String] = []
        for name in book.names {
            let account = name.account.hash.bytes.data
            if let known = try known(name.username.text), known.account != name.account {
                try db.execute(
                    sql: "UPDATE known SET other = ? WHERE username = ?",
                    arguments: [account, name.username.text]
                )
                disputed.append(name.username.text)
                continue
            }
            try db.execute(
                sql: """
                    INSERT INTO known (username, account, verified, blocking) VALUES (?, ?, ?, ?)
                    ON CONFLICT (username) DO UPDATE SET
                        verified = max(verified, excluded.verified),
                        blocking = max(blocking, excluded.blocking)
                    """,
                arguments: [
                    name.username.text, account, name.isVerified, Int64(name.blocking),
                ]
            )
        }
        let overtaken = try overtaken(by: book, after: before)
        try takeInvitations(of: book)
        try takeTransfers(of: book)
        try takeAnswers(of: book)
        return (disputed, overtaken)
    }

    private static func name(_ row: Row) -> AddressBook.Name? {
        guard let username = Username(row[0] as String), let account = Hash256(row.bytes(1)) else {
            return nil
        }
        return AddressBook.Name(
            username: username,
            account: AccountID(hash: account),
            isVerified: row[2],
            blocking: UInt32(clamping: row[3] as Int64)
        )
    }
}

extension LocalTree {
    /// Makes the server's record of the root the agreed one.
    func take(_ root: File, _ record: FileRecord) throws {
        try store(
            root,
            row: try row(root.id),
            tag: record.facts.nameTag,
            base: record.bytes,
            local: nil,
            isDamaged: false
        )
    }
}

extension AddressBook {
    fileprivate func without(_ account: AccountID) -> AddressBook {
        guard names.contains(where: { $0.account == account }) else { return self }
        return AddressBook(
            names: names.filter { $0.account != account },
            invitations: invitations,
            transfers: transfers,
            answers: answers
        )
    }

    /// Without those about whom nothing was decided.
    var decisions: AddressBook {
        AddressBook(
            names: names.filter { $0.isVerified || $0.blocking > 0 },
            invitations: invitations,
            transfers: transfers,
            answers: answers
        )
    }
}
