import FoundationEssentials
import LockbookAPI
import LockbookCrypto
import LockbookModel
import SwiftProtobuf

extension Lockbook {
    /// Shares a file of this account with another one, at the next sync.
    ///
    /// Asks the server who the other one is; without a network that is enough whom this device met
    /// before.
    /// - Throws: `.keyChanged`, `.noSuchUser`, `.badShare`.
    public func share(_ reference: FileReference, with username: String, mode: ShareRight)
        async throws -> ShareInfo
    {
        try store.read { tree in _ = try tree.shareable(reference) }
        let other = try await recipient(username)
        return try store.write { tree in
            let row = try tree.shareable(reference)
            try tree.pin(other)
            let path = try tree.path(of: row)
            let known = try tree.grants(of: row.id).first { AccountID($0.grantee) == other.account }
            guard known.map({ $0.mode == ShareMode.none }) ?? true else {
                throw LockbookError.badShare(
                    path: path,
                    reason: "it is shared with \(username) already; `share mode` changes how"
                )
            }
            try tree.wish(
                LocalTree.ShareWish(file: row.id, grantee: other.account, mode: mode.mode)
            )
            return ShareInfo(
                id: row.id.description,
                path: path,
                username: username,
                mode: mode,
                since: nil,
                verified: try tree.isVerified(other.account),
                state: .waiting
            )
        }
    }

    /// Changes what somebody may do with a shared file, or with nil takes it back; at the next sync.
    public func setShare(_ reference: FileReference, of username: String, to mode: ShareRight?)
        throws
    {
        try across(reference) {
            try store.write { tree in
                let row = try tree.find(reference)
                if let crossing = try tree.crossing(row) { throw crossing }
                let path = try tree.path(of: row)
                if mode == nil, try takeBack(username, to: row.id, in: tree) != nil { return }
                // On another device than the one that shared it, the grant alone knows the account.
                let named = try tree.grants(of: row.id).first {
                    $0.mode > .none && $0.granteeName.text == username
                }
                guard
                    let other = try named.map({ AccountID($0.grantee) })
                        ?? tree.contact(named: username)?.account
                else { throw LockbookError.notShared(path: path, username: username) }
                let held = named?.mode ?? .none
                let wish = try tree.wishes().first { $0.file == row.id && $0.grantee == other }
                guard held > .none || wish != nil else {
                    throw LockbookError.notShared(path: path, username: username)
                }
                let new = LocalTree.ShareWish(
                    file: row.id,
                    grantee: other,
                    mode: mode?.mode ?? .none
                )
                if new.mode == held { try tree.forget(new) } else { try tree.wish(new) }
            }
        } there: { place in
            throw LockbookError.ownersToChange(path: place.link)
        }
    }

    /// Who may see a file of this account, or any; by path and name.
    public func shares(of reference: FileReference? = nil) throws -> [ShareInfo] {
        try store.read { tree in
            let only = try reference.map { try tree.find($0).id }
            var found: [ShareInfo] = []
            let wishes = try tree.wishes()
            for grant in try tree.allGrants() where grant.mode > .none {
                let wish = wishes.first {
                    $0.file == grant.file && $0.grantee == AccountID(grant.grantee)
                }
                found.append(
                    ShareInfo(
                        id: grant.file.description,
                        path: try tree.path(of: grant.file),
                        username: grant.granteeName.text,
                        mode: ShareRight(wish.map { max($0.mode, .read) } ?? grant.mode),
                        since: grant.created.milliseconds,
                        verified: try tree.isVerified(AccountID(grant.grantee)),
                        state: wish.map { $0.mode == .none ? .takingBack : .waiting } ?? .shared
                    )
                )
            }
            for wish in wishes where wish.mode > .none {
                guard
                    !found.contains(where: { $0.id == wish.file.description && $0.state != .shared }
                    )
                else { continue }
                found.append(
                    ShareInfo(
                        id: wish.file.description,
                        path: try tree.path(of: wish.file),
                        username: try tree.username(of: wish.grantee),
                        mode: ShareRight(wish.mode),
                        since: nil,
                        verified: try tree.isVerified(wish.grantee),
                        state: .waiting
                    )
                )
            }
            found += try tree.openInvitations().map { try tree.info($0) }
            return found.filter { only == nil || $0.id == only?.description }
                .sorted { ($0.path, $0.username) < ($1.path, $1.username) }
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
    func recipient(_ name: String) async throws -> AccountCertificate {
        guard let username = Username(name) else { throw LockbookError.badUsername(name) }
        guard name != account.username else {
            throw LockbookError.badShare(path: name, reason: "that is this account itself")
        }
        let known = try store.read { try $0.contact(named: name) }
        do {
            let found = try await introduction(of: username)
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

    private func introduction(of username: Username) async throws -> AccountCertificate {
        try await askServer { client in
            let answer: Lockbook_V1_AccountResponse = try await client.ask(
                .account,
                Lockbook_V1_AccountRequest.with { $0.username = username.text }
            )
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
            clockOffset: offset
        )
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

extension LocalTree {
    /// The file, where it is one that can be shared.
    func shareable(_ reference: FileReference) throws -> FileRow {
        let row: FileRow
        do { row = try find(reference) } catch is CrossesLink {
            throw LockbookError.badShare(
                path: reference.text,
                reason: "it is another account's, whose owner alone shares it"
            )
        }
        let path = try path(of: row)
        func refuse(_ reason: String) -> LockbookError { .badShare(path: path, reason: reason) }
        guard row.id != root else { throw refuse("all of the notes cannot be shared at once") }
        guard row.type != .link else { throw refuse("a link is for this account alone") }
        guard !row.isDamaged else { throw LockbookError.damaged(file: path, author: "") }
        let scope = try scope(of: row)
        guard scope == row.id || scope == root else {
            throw refuse("it is inside a shared folder; shares do not nest yet")
        }
        var folders = [row]
        while let folder = folders.popLast() {
            for child in try children(of: folder.id) {
                let childScope = try self.scope(of: child)
                guard childScope != child.id,
                    try !self.wishes().contains(where: {
                        $0.file == child.id
                    })
                else { throw refuse("a part of it is shared already; shares do not nest yet") }
                guard child.type != .link else { throw refuse("there is a link in it") }
                if child.type == .folder { folders.append(child) }
            }
        }
        var above = row
        while above.id != root, let parent = try self.row(above.parent) {
            guard try !wishes().contains(where: { $0.file == parent.id && $0.mode > .none }) else {
                throw refuse("it is inside a shared folder; shares do not nest yet")
            }
            above = parent
        }
        return row
    }
}
