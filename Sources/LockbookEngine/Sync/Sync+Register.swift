import FoundationEssentials
import LockbookAPI
import LockbookCrypto
import LockbookModel
import SwiftProtobuf

extension Sync {
    /// Starts the account's log on the server.
    ///
    /// Safe to repeat: the same entry is sent each time.
    /// - Returns: whether there is a log to pull; false in a dry run before the account is there.
    func register() async throws -> Bool {
        guard try store.read({ try $0.setting(.registered) }) == nil else {
            if try store.read({ try $0.isRootRenamed() }), let known = try await ownAccount() {
                try takeName(of: known.certificate)
            }
            return true
        }
        if try await finishImport() { return true }
        let prepared = try prepare()
        guard let (pending, record) = prepared, let certificate = pending.certificate else {
            return true
        }
        if options.isDryRun {
            guard let known = try await ownAccount() else {
                try accept(certificate)
                return false
            }
            guard known.newest == LogHead(pending.header) else {
                return try takeUp(known.certificate)
            }
        } else {
            // Telling a server again of an account that it has changes nothing there.
            do { try await send(certificate, pending, rootRecord: record) } catch let error
                as LockbookError
            {
                guard case .usernameTaken = error, let known = try await ownAccount() else {
                    throw error
                }
                return try takeUp(known.certificate)
            }
        }
        try accept(certificate)
        return true
    }

    /// Makes the account's first entry, unless it is made.
    /// - Returns: that and the root's record; nil where there is nothing to tell a server.
    private func prepare() throws -> (PendingEntry, [UInt8])? {
        // Another process may have named it anew before this one came to its turn.
        let account = try AccountFile(directory: self.account.directory)
        return try store.write { tree -> (PendingEntry, [UInt8])? in
            guard try tree.setting(.registered) == nil else { return nil }
            guard let username = Username(account.username) else {
                throw LockbookError.badUsername(account.username)
            }
            // It was named anew, and that was cut off before the root was.
            if try tree.file(tree.rootRow()).name.text != username.text {
                try tree.makeRoot(named: username)
            }
            let row = try tree.rootRow()
            guard let record = row.local else { return nil }
            if try tree.pending() == nil {
                let certificate = try AccountCertificate(
                    username: username,
                    keys: keys,
                    created: account.created
                )
                let reference = RecordReference(
                    file: row.id,
                    hash: Hash256(label: "lockbook/v1/record", record)
                )
                try tree.makePending([reference], after: nil, certificate: certificate.bytes)
            }
            return try tree.pending().map { ($0, record) }
        }
    }

    private func accept(_ certificate: [UInt8]) throws {
        try store.write { tree in
            _ = try tree.acceptPending()
            try tree.set(.certificate, to: certificate)
            try tree.set(.registered, to: [1])
        }
    }

    /// Goes on with the log that this account has on the server already.
    ///
    /// Another of its devices began it, or this one, which did not hear of it. What is here is new to
    /// that log, and merged.
    /// - Returns: true: there is a log to pull.
    /// - Throws: `.accountExists` when it has another name there.
    private func takeUp(_ known: AccountCertificate) throws -> Bool {
        guard try takeName(of: known) else { return true }
        throw LockbookError.accountExists(
            username: known.username.text,
            directory: account.directory
        )
    }

    /// Gives the account and its root the name that the server has.
    /// - Returns: whether this device had another one for the account.
    @discardableResult
    private func takeName(of known: AccountCertificate) throws -> Bool {
        var account = try AccountFile(directory: self.account.directory)
        let isRenamed = known.username.text != account.username
        if isRenamed, !options.isDryRun {
            account.username = known.username.text
            try Lockbook.saving(account)
        }
        try store.write { tree in
            if try tree.file(tree.rootRow()).name.text != known.username.text {
                try tree.makeRoot(named: known.username)
            }
            try tree.forgetPending()
            try tree.set(.certificate, to: known.bytes)
            try tree.set(.registered, to: [1])
        }
        return isRenamed
    }

    private func send(_ certificate: [UInt8], _ pending: PendingEntry, rootRecord: [UInt8])
        async throws
    {
        let _: Lockbook_V1_RegisterResponse = try await server.ask(
            .register,
            .with {
                $0.certificate = Data(certificate)
                $0.header = Data(pending.header.bytes)
                $0.group = Data(pending.groups[0].bytes)
                $0.rootRecord = Data(rootRecord)
            } as Lockbook_V1_RegisterRequest
        )
    }

    /// Goes on where the making or the import of an account was cut off before it had a root here.
    /// - Returns: whether the server knows the account.
    private func finishImport() async throws -> Bool {
        guard try store.read({ try $0.row($0.root) }) == nil else { return false }
        guard let known = try await ownAccount() else {
            guard let username = Username(account.username) else {
                throw LockbookError.badUsername(account.username)
            }
            try store.write { try $0.makeRoot(named: username) }
            return false
        }
        try store.write { tree in
            try tree.set(.certificate, to: known.certificate.bytes)
            try tree.set(.registered, to: [1])
        }
        return true
    }

    /// The account of this key as the server has it; nil when it has none.
    private func ownAccount() async throws -> (certificate: AccountCertificate, newest: LogHead)? {
        let answer: Lockbook_V1_AccountResponse
        do {
            answer = try await server.ask(.account, Lockbook_V1_AccountRequest())
        } catch LockbookError.unknownAccount {
            return nil
        }
        let certificate = try AccountCertificate(verifying: Array(answer.certificate))
        guard certificate.keys == keys.publicKeys else {
            throw LockbookError.integrity(reason: "the server answers for another account")
        }
        return (certificate, LogHead(try EntryHeader(Array(answer.newest))))
    }
}
