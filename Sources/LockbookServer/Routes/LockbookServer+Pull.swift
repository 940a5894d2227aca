import FoundationEssentials
import LockbookAPI
import LockbookCrypto
import LockbookModel

extension LockbookServer {
    /// What is new in the logs that a device follows.
    func pull(_ request: Lockbook_V1_PullRequest, for account: StoredAccount) async throws
        -> Lockbook_V1_PullResponse
    {
        guard request.logs.count <= ShareLimits.owners + 1 else {
            throw Refusal(.tooLarge, "too many logs in one request")
        }
        let positions = try Self.positions(in: request)
        return try await store.read { store in
            // The head of this transaction, not the one from when the request was admitted.
            let account = try store.requireAccount(account.id)
            var response = Lockbook_V1_PullResponse()
            let most = pageByteCount(of: request)
            var byteCount = 0
            let reading = GroupReading(atMost: settings.readByteCount)
            response.logs = try positions.map { position in
                let owner =
                    position.log == account.id ? account : try store.account(id: position.log)
                guard let owner else {
                    guard let ended = try store.end(of: position.log) else {
                        throw Refusal(.notPermitted, "this account may not read this log")
                    }
                    return Lockbook_V1_LogUpdate(of: ended, after: position.known.head)
                }
                let reader = try logReader(
                    of: owner,
                    for: account,
                    in: store,
                    pageByteCount: most - byteCount,
                    reading
                )
                // One answer has room for one log that is far ahead: the others are asked for alone.
                guard byteCount < most, !reading.isOver else {
                    return try reader.announcement(after: position.known)
                }
                let update = try reader.page(after: position.known)
                byteCount += update.contentByteCount
                return update
            }
            response.offers = try offers(to: account, besides: positions.map(\.log), in: store)
            response.claims = try store.claims(to: account.key).map { Data($0) }
            return response
        }
    }
}

extension LockbookServer {
    /// The logs that are asked for, each once, and what is known of them.
    private static func positions(in request: Lockbook_V1_PullRequest) throws
        -> [(log: AccountID, known: LogReader.Known)]
    {
        let positions = try request.logs.map { position in
            guard let log = Hash256(position.log) else {
                throw Refusal(.malformed, "a hash is 32 bytes")
            }
            return (log: AccountID(hash: log), known: try LogReader.Known(position))
        }
        guard Set(positions.map(\.log)).count == positions.count else {
            throw Refusal(.malformed, "a log is asked for twice in one request")
        }
        return positions
    }

    /// What an answer aims at: no more than is asked for, and than this server sends.
    private func pageByteCount(of request: Lockbook_V1_PullRequest) -> Int {
        guard request.pageByteCount > 0 else { return settings.pageByteCount }
        return min(settings.pageByteCount, Int(request.pageByteCount))
    }

    /// - Parameters:
    ///   - pageByteCount: what a page aims at; nil for what this server sends.
    ///   - reading: of the answer that the page is in; nil where it is the only one.
    func logReader(
        of account: StoredAccount,
        for reader: StoredAccount,
        in store: any MetadataReading,
        pageByteCount: Int? = nil,
        _ reading: GroupReading? = nil
    ) throws -> LogReader {
        try LogReader(
            store: store,
            account: account,
            reader: reader.id,
            pageByteCount: pageByteCount ?? settings.pageByteCount,
            reading: reading ?? GroupReading(atMost: settings.readByteCount)
        )
    }

    /// Who shares with an account, of whose logs it did not ask.
    ///
    /// Those that it blocked are among them: what it had accepted of theirs before, it alone knows.
    private func offers(
        to account: StoredAccount,
        besides known: [AccountID],
        in store: any MetadataReading
    ) throws -> [Data] {
        try store.logs(sharedWith: account.id).compactMap { key in
            guard let owner = try store.account(key: key), !known.contains(owner.id) else {
                return nil
            }
            return Data(owner.certificate)
        }
    }

    /// The account whose log a request is about: the one that asks, or one that shares with it.
    func owner(_ log: Data, for account: StoredAccount, atLeast mode: ShareMode) async throws
        -> StoredAccount
    {
        if log.isEmpty { return account }
        guard let hash = Hash256(log) else { throw Refusal(.malformed, "a hash is 32 bytes") }
        return try await owner(AccountID(hash: hash), for: account, atLeast: mode)
    }

    func owner(_ log: AccountID, for account: StoredAccount, atLeast mode: ShareMode) async throws
        -> StoredAccount
    {
        if log == account.id { return account }
        let owner = try await store.read { store -> StoredAccount? in
            guard let owner = try store.account(id: log) else {
                if let ended = try store.end(of: log) { throw Refusal(ended) }
                return nil
            }
            let isMember = try store.memberships(of: account.id, in: owner.key)
                .contains { $0.superseded == nil && $0.mode >= mode }
            return isMember ? owner : nil
        }
        guard let owner else {
            throw Refusal(.notPermitted, "this account has no such right in this log")
        }
        return owner
    }
}

extension LogReader.Known {
    fileprivate init(_ position: Lockbook_V1_LogPosition) throws(Refusal) {
        if position.known {
            guard let hash = Hash256(position.head) else {
                throw Refusal(.malformed, "a head is 32 bytes")
            }
            head = LogHead(position: position.position, hash: hash)
        }
        if position.hasCursor { cursor = position.cursor }
        if position.hasEntryCursor { entryCursor = position.entryCursor }
        if position.noLaterThan > 0 { latest = position.noLaterThan }
    }
}

extension Lockbook_V1_LogUpdate {
    /// That the owner of a log deleted his account; whoever asks for the log knows whose it is.
    ///
    /// A program that does not know of this sees that nothing is new.
    fileprivate init(of ended: StoredEnd, after head: LogHead?) {
        self.init()
        log = ended.id.hash.data
        headPosition = head?.position ?? 0
        self.head = head?.hash.data ?? Data()
        end = Data(ended.statement)
    }

    /// The bytes of what it brings, without what frames them.
    fileprivate var contentByteCount: Int {
        let entries = entries.reduce(0) { sum, entry in
            entry.groups.reduce(sum + entry.header.count) { $0 + $1.whole.count + $1.hidden.count }
        }
        let state = checkpoint.items.reduce(0) { $0 + $1.record.count }
        let headers = checkpoint.headers.reduce(0) { $0 + $1.count }
        let states = checkpoint.states.reduce(0) { $0 + $1.count }
        let signed = checkpoint.checkpoint.count + checkpoint.certificate.count
        return records.reduce(entries + state + headers + states + signed) { $0 + $1.count }
    }
}
