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
                if mode == nil, try takeBack(username, to: row.id, in: tree) != nil { return }
                let isKeptOut = try mode == nil && keepOut(username, of: row.id, in: tree)
                try tree.setShare(row, of: username, to: mode, isKeptOut: isKeptOut)
                guard mode == nil, let transfer = try tree.transfer(of: row.id), transfer.isOpen,
                    try tree.username(of: transfer.heir) == username
                else { return }
                try tree.end(transfer)
            }
        } there: { place in
            let other = place.lockbook.store
            let target = try other.read {
                LinkTarget(owner: $0.owner, file: try $0.find(place.reference).id)
            }
            // One's own invitation ends also where the right to make it did.
            let (isTakenBack, isKeptOut) = try store.changeShares { tree in
                guard mode == nil else { return (false, false) }
                return (
                    try takeBack(username, to: target.file, of: target.owner, in: tree) != nil,
                    try keepOut(username, of: target.file, of: target.owner, in: tree)
                )
            }
            guard !isTakenBack else { return }
            try other.write { tree in
                let row = try tree.requireAdmin(of: place, granting: mode)
                try tree.setShare(row, of: username, to: mode, isKeptOut: isKeptOut)
            }
        }
    }

    /// Who may see a file, or any of this account's; by path and name.
    public func shares(of reference: FileReference? = nil) throws -> [ShareInfo] {
        func sorted(_ shares: [ShareInfo]) -> [ShareInfo] {
            shares.sorted { ($0.path, $0.username) < ($1.path, $1.username) }
        }
        guard let reference else { return sorted(try ownShares(of: nil) + listInvitations()) }
        return try across(reference) {
            let file = try store.read { try $0.requireOwn(reference).id }
            let target = LinkTarget(owner: store.context.owner, file: file)
            return sorted(try ownShares(of: file) + listInvitations(to: target))
        } there: { place in
            let other = place.lockbook
            let file = try other.store.read { try $0.requireOwn(place.reference).id }
            let target = LinkTarget(owner: other.store.context.owner, file: file)
            let shares = try other.ownShares(of: file).map { share in
                var share = try other.told(share)
                share.path = place.own(share.path)
                return share
            }
            return sorted(try shares + listInvitations(to: target))
        }
    }

    /// What others share with this account, and where it is an admin who else may see it; by path and
    /// name.
    public func sharesOfOthers() throws -> [ShareInfo] {
        let (owners, links) = try store.read { (try $0.followed(), try $0.links()) }
        return try owners.flatMap { owner -> [ShareInfo] in
            guard let other = try shared(by: owner) else { return [] }
            let held = try other.store.read { try $0.held() }.filter {
                $0.value == .admin || links[$0.key]?.target.owner == owner
            }
            return try held.keys.flatMap { try other.ownShares(of: $0) }.filter { share in
                share.username == account.username
                    || FileID(hex: share.id).flatMap { held[$0] } == .admin
            }.map { share in
                var share = try other.told(share)
                share.path = SharedPath.own(share.path, links)
                return share
            }
        }
        .sorted { ($0.path, $0.username) < ($1.path, $1.username) }
    }

    /// A part in what another account shares, with its owner; of this account's own it is the owner
    /// whose keys were compared.
    private func told(_ share: ShareInfo) throws -> ShareInfo {
        try store.read { tree in
            var share = share
            share.owner = try tree.username(of: tree.owner)
            if share.username == account.username {
                share.verified = try tree.isVerified(tree.owner)
            }
            return share
        }
    }

    private func ownShares(of only: FileID?) throws -> [ShareInfo] {
        try store.read { tree in
            var found: [ShareInfo] = []
            var wishes = try tree.wishes()
            for grant in try tree.allGrants() where grant.mode > .none {
                let index = wishes.firstIndex {
                    $0.file == grant.file && $0.grantee == AccountID(grant.grantee)
                }
                let wish = index.map { wishes.remove(at: $0) }
                let isTakenBack = wish?.mode == ShareMode.none
                found.append(
                    ShareInfo(
                        id: grant.file.description,
                        path: try tree.path(of: grant.file),
                        username: try tree.username(of: AccountID(grant.grantee)),
                        mode: ShareRight(isTakenBack ? grant.mode : wish?.mode ?? grant.mode),
                        since: grant.created.milliseconds,
                        verified: try tree.isVerified(AccountID(grant.grantee)),
                        state: wish == nil ? .shared : isTakenBack ? .takingBack : .waiting
                    )
                )
            }
            for wish in wishes where wish.mode > .none {
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
            for index in found.indices {
                guard let file = FileID(hex: found[index].id),
                    let transfer = try tree.transfer(of: file), transfer.isOpen,
                    try tree.username(of: transfer.heir) == found[index].username
                else { continue }
                found[index].transfer = true
            }
            return found.filter { only == nil || $0.id == only?.description }
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
