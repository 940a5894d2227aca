import FoundationEssentials
import LockbookAPI
import LockbookCrypto
import LockbookModel
import SwiftProtobuf

extension Lockbook {
    /// Shares a file of this account, or one that it may let others into, at the next sync.
    ///
    /// Asks the server who the other one is; without a network that is enough whom this device met
    /// before.
    /// - Throws: `.keyChanged`, `.noSuchUser`, `.badShare`.
    public func share(_ reference: FileReference, with username: String, mode: ShareRight)
        async throws -> ShareInfo
    {
        try across(reference) {
            try store.read { tree in _ = try tree.shareable(reference) }
        } there: { place in
            _ = try place.lockbook.store.read { try $0.requireAdmin(of: place, granting: mode) }
        }
        let other = try await recipient(username)
        try store.write { try $0.pin(other) }
        return try across(reference) {
            try store.changeShares { try $0.share($0.shareable(reference), with: other, mode) }
        } there: { place in
            var info = try place.lockbook.store.changeShares { tree in
                try tree.pin(other)
                let row = try tree.requireAdmin(of: place, granting: mode)
                return try tree.share(row, with: other, mode)
            }
            info.path = place.own(info.path)
            return info
        }
    }

    /// Changes what somebody may do with a shared file, or with nil takes it back; at the next sync.
    public func setShare(_ reference: FileReference, of username: String, to mode: ShareRight?)
        throws
    {
        try across(reference) {
            try store.changeShares { tree in
                let row = try tree.requireOwn(reference)
                let isKeptOut = try mode == nil && keepOut(username, of: row.id, in: tree)
                // Who has a code knows its id, and may call himself by that: it is he who goes.
                if mode == nil, try !isKeptOut && !tree.isShared(row.id, with: username),
                    try takeBack(username, to: row.id, in: tree) != nil
                {
                    return
                }
                try tree.setShare(row, of: username, to: mode, isKeptOut: isKeptOut)
                guard mode == nil, let transfer = try tree.transfer(of: row.id), transfer.isOpen,
                    try tree.username(of: transfer.heir) == username,
                    try tree.whole(of: transfer) == transfer, try !tree.mayBeTakenBack(transfer)
                else { return }
                try tree.end(transfer)
            }
        } there: { place in
            try LocalStore.change([place.lockbook.store, store]) { trees in
                let (there, here) = (trees[0], trees[1])
                here.journal?.giveUp(.shared)
                let file = try there.find(place.reference).id
                let isKeptOut =
                    try mode == nil && keepOut(username, of: file, of: there.owner, in: here)
                // One's own invitation ends also where the right to make it did.
                if mode == nil, try !isKeptOut && !there.isShared(file, with: username),
                    try takeBack(username, to: file, of: there.owner, in: here) != nil
                {
                    return
                }
                let row = try there.requireAdmin(of: place, granting: mode)
                try there.setShare(row, of: username, to: mode, isKeptOut: isKeptOut)
            }
        }
    }

    /// The number that two people compare to know that no server stands between them: the same on
    /// both sides, 60 digits in groups of five.
    /// - Parameter confirm: called with it; notes that it was compared when it returns true.
    public func verify(_ username: String, confirm: (String) throws -> Bool) async throws -> Bool {
        let other = try await recipient(username)
        try store.write { try $0.pin(other) }
        let number = SafetyNumber(store.context.author, other.account).text
        guard try confirm(number) else { return false }
        try store.write { try $0.markVerified(other.account) }
        return true
    }

    /// Who a name is: what the server says, which has to be what this device knows.
    /// - Parameter expected: whose name it is, where somebody else has signed that.
    func recipient(_ name: String, as expected: AccountID? = nil) async throws
        -> AccountCertificate
    {
        guard let username = Username(name) else { throw LockbookError.badUsername(name) }
        guard name != account.username else {
            throw LockbookError.badShare(path: name, reason: "that is this account itself")
        }
        let known = try store.read { try $0.contact(named: name) }
        do {
            let found = try await introduction(of: username, as: expected, known: known?.account)
            guard found.username == username else {
                throw LockbookError.integrity(reason: "the server answers for another account")
            }
            if let known, known.account != found.account {
                throw LockbookError.keyChanged(username: name)
            }
            return found
        } catch let error as LockbookError {
            switch error {
            case .offline, .unavailable:
                guard let known else { throw error }
                return known
            case .refused where known == nil: throw LockbookError.noSuchUser(username: name)
            default: throw error
            }
        }
    }

    /// - Parameters:
    ///   - expected: whose name it is, as somebody else has signed, who may be wrong.
    ///   - known: whose name it was when this device met it, before which nobody can tell.
    private func introduction(
        of username: Username,
        as expected: AccountID?,
        known: AccountID?
    ) async throws -> AccountCertificate {
        try await askServer { client in
            let answer: Lockbook_V1_AccountResponse
            do {
                answer = try await client.ask(
                    .account,
                    Lockbook_V1_AccountRequest.with { $0.username = username.text }
                )
            } catch let ended as OtherAccountEnded {
                if let expected, ended.account != expected {
                    throw LockbookError.keyChanged(username: username.text)
                }
                guard let known = expected ?? known, ended.account != known else {
                    throw LockbookError.userDeleted(username: username.text)
                }
                throw ended
            }
            return try AccountCertificate(verifying: Array(answer.certificate))
        }
    }

    /// Asks the server something beside a sync.
    func askServer<Answer: Sendable>(_ body: (ServerClient) async throws -> Answer) async throws
        -> Answer
    {
        let offset = try store.read { try $0.number(.clockOffset) }
        let client = try ServerClient(
            account: account,
            keys: keys,
            environment: environment,
            clockOffset: offset,
            isKnown: try accountStore.read { try $0.setting(.registered) != nil }
        )
        return try await Self.closing(client, after: body)
    }

    /// Asks by a client that is there for this alone, and closes it.
    static func closing<Answer: Sendable>(
        _ client: ServerClient,
        after body: (ServerClient) async throws -> Answer
    ) async throws -> Answer {
        do {
            let answer = try await body(client)
            await client.close()
            return answer
        } catch {
            await client.close()
            throw Sync.failure(error)
        }
    }
}

/// What two accounts compare: digits that follow from both ids and nothing else.
struct SafetyNumber {
    let text: String

    init(_ one: AccountID, _ other: AccountID) {
        let pair = [one, other].sorted()
        var encoder = CanonicalEncoder(reserving: 64)
        for id in pair { encoder.append(id.hash) }
        var digits = ""
        for round in 0..<6 as Range<UInt8> {
            let hash = Hash256(label: "lockbook/v1/safety-number", [round] + encoder.bytes)
            // Ten digits of 64 bits: what the division favours is beyond measure.
            let number = hash.bytes.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            let part = String(number % 10_000_000_000)
            digits += String(repeating: "0", count: 10 - part.count) + part
        }
        text = stride(from: 0, to: 60, by: 5).map { start in
            String(digits.dropFirst(start).prefix(5))
        }.joined(separator: " ")
    }
}
