import LockbookCrypto
import LockbookModel

/// What is offered by those of whom nothing is here: a server can name as many as it likes.
extension Sync {
    /// So many offers may come to nothing in one sync; the others have their turn in the next one.
    static let vainOfferCount = 16

    /// Follows the logs of those who offer something of which something is here already.
    /// - Returns: the certificates of the others, by the accounts that they name.
    mutating func followKnown() throws -> [AccountID: [UInt8]] {
        guard !offers.isEmpty else { return [:] }
        let known = try store.read { tree in
            // Who was awaited and is not found would be given up.
            Set(try tree.linksByOwner().keys).union(try tree.leftBehind())
                .union(try tree.awaited().map(\.owner))
        }
        var strangers: [AccountID: [UInt8]] = [:]
        for offer in offers {
            if let account = AccountCertificate.account(namedIn: offer), !known.contains(account) {
                strangers[account] = offer
                continue
            }
            do { try follow(offer) } catch { failures.add(error) }
        }
        return strangers
    }

    /// Begins to follow the others, one after the other, those first who come after the last one that was
    /// asked for in vain.
    ///
    /// Each takes a store here before anything of it is proved, so what comes to nothing is counted; in
    /// turn, so that it keeps nobody out for good.
    mutating func meet(_ strangers: [AccountID: [UInt8]]) async throws {
        let last = try store.read { try $0.setting(.vainOffer) }.flatMap { Hash256($0) }
        let order = strangers.keys.sorted()
        let start = last.flatMap { last in order.firstIndex { $0.hash > last } } ?? 0
        var live = others.count { !$0.isOver }
        var vain = 0
        for account in order[start...] + order[..<start] {
            // An honest server offers no more than a device follows.
            guard let offer = strangers[account], live < environment.followedLogCount else { break }
            switch try await comesToSomething(offer) {
            case nil: continue
            case true?: live += 1
            case false?: vain += 1
            }
            guard vain < Self.vainOfferCount else {
                try store.write { try $0.set(.vainOffer, to: account.hash.bytes) }
                break
            }
        }
        let tried = Set(others.map(\.store.context.owner))
        for owner in vainBefore where !tried.contains(owner) {
            try store.write { try $0.unfollow(owner) }
            _ = try removeEmpty(of: owner)
        }
    }

    /// - Returns: nil where this account does not want to know.
    private mutating func comesToSomething(_ offer: [UInt8]) async throws -> Bool? {
        let index = others.count
        do { try follow(offer) } catch {
            failures.add(error)
            return false
        }
        guard others.indices.contains(index) else { return nil }
        try await pullApart(index)
        return try others[index].store.read { try $0.head() } != nil
    }

    /// Takes what another account changed, or offers; what is wrong with that keeps nothing else.
    ///
    /// What nobody accepted and is wrong in what took long to read is not read anew for a while.
    mutating func pullApart(_ index: Int) async throws {
        let other = others[index].store
        let owner = other.context.owner
        let isAccepted = try isAccepted(owner)
        if !isAccepted, let reason = try other.read({ try $0.readInVain() }) {
            let name = try store.read { try $0.username(of: owner) }
            return leave(index, after: LockbookError.integrity(reason: reason, sharer: name))
        }
        let before = await server.traffic.received
        try await keepingApart(index) {
            try await $0.pullOther(index)
            try await $0.letGoOfLeft(index)
        }
        guard !isAccepted, !options.isDryRun,
            case LockbookError.integrity(let reason, _)? = failures.failure(of: .log(owner)),
            await server.traffic.received - before > environment.vainByteCount
        else { return }
        try other.write { try $0.noteReadInVain(reason) }
    }
}

extension LocalTree {
    /// How long what was read in vain is not read anew: a server that lied once may be honest again.
    private static let vainMilliseconds: Int64 = 3_600_000

    /// Why this log, of which much was read, was not taken a while ago.
    fileprivate func readInVain() throws -> String? {
        let noted: ReadInVain? = try sealed(.readInVain, for: Self.vainPurpose)
        guard let noted else { return nil }
        let age = environment.now().milliseconds - noted.time
        return (0..<Self.vainMilliseconds).contains(age) ? noted.reason : nil
    }

    fileprivate func noteReadInVain(_ reason: String) throws {
        let noted = ReadInVain(time: environment.now().milliseconds, reason: reason)
        try seal(noted, as: .readInVain, for: Self.vainPurpose)
    }

    private static let vainPurpose: StaticString = "read in vain"
}

/// Why a log was not taken, which may name a note.
private struct ReadInVain: Codable {
    /// Milliseconds since 1970.
    let time: Int64
    let reason: String
}
