import FoundationEssentials
import LockbookAPI
import LockbookCrypto
import LockbookModel

extension LockbookServer {
    /// Appends an entry if it stands directly after the head.
    /// - Parameter request: decodes what was sent; once for its header, and again after the waiting: tiny
    ///   messages take many times the room of their bytes.
    func push(
        for account: StoredAccount,
        _ request: () throws -> Lockbook_V1_PushRequest
    ) async throws -> Answer {
        let (header, byteCount) = try outline(of: request())
        let author = account
        let account = try await owner(header.log, for: author, atLeast: .write)
        let pusher = PushTurns.Pusher(
            author: author.id,
            device: header.device,
            isOwner: author.id == account.id
        )
        try await turns.wait(for: pusher, in: account.key)
        // Not before: who waits there may wait for a pull of another device of the same account.
        let turn = try await accountTurns.take(for: author.id)
        let outcome = try await withRoom(for: byteCount, of: author) {
            let push = try PreparedPush(request(), header: header, by: author, for: account)
            let outcome = try await attempt(push, by: author, for: account)
            guard case .collected = outcome else { return outcome }
            // A file that was to be taken over changed or went meanwhile.
            return try await attempt(push, by: author, for: account)
        }
        switch outcome {
        case .accepted:
            await turns.won(pusher, in: account.key)
            var response = Lockbook_V1_PushResponse()
            response.accepted = Lockbook_V1_Accepted()
            return try Answer(response, in: turn)
        case .moved:
            if try await isRace(header, within: pusher.terms.memory, in: account.key) {
                await turns.lost(pusher, at: header.position, in: account.key)
            }
            // Who is far behind is answered as much as a pull is.
            return try Answer(await moved(header, for: account, reader: author), in: turn)
        case .missing(let missing):
            var response = Lockbook_V1_PushResponse()
            response.missing = missing
            return try Answer(response, in: turn)
        case .collected: throw StoreFailure.collected
        case .ready: throw StoreFailure.damaged
        }
    }

    private func outline(of request: Lockbook_V1_PushRequest) throws
        -> (header: EntryHeader, groupByteCount: Int)
    {
        let byteCount = request.groups.reduce(0) { $0 + $1.count }
        return (try EntryHeader(Array(request.header)), byteCount)
    }

    /// Works on a push when there is room: what its groups list takes 30 times their bytes until it is
    /// written.
    private func withRoom(
        for groupByteCount: Int,
        of author: StoredAccount,
        _ work: () async throws -> PushOutcome
    ) async throws -> PushOutcome {
        guard groupByteCount > PreparedPush.smallGroupByteCount else { return try await work() }
        // What is larger is refused.
        let byteCount = min(groupByteCount, PreparedPush.maximumGroupByteCount)
        try await groupBudget.take(byteCount, for: author.signingKey)
        let result: Result<PushOutcome, any Error>
        do {
            result = .success(try await work())
        } catch {
            result = .failure(error)
        }
        await groupBudget.giveBack(byteCount, of: author.signingKey)
        return try result.get()
    }

    /// Whether an entry that came too late stands after what was the head a short time ago.
    ///
    /// Who sends an old one again and again loses no race.
    private func isRace(
        _ header: EntryHeader,
        within memory: Duration,
        in log: AccountKey
    ) async throws -> Bool {
        let since = settings.now() - memory.components.seconds
        return try await store.read { store in
            guard header.position > 0, let next = try store.entry(header.position, of: log),
                next.time >= since
            else { return false }
            return try store.entry(header.position - 1, of: log)?.hash == header.previous
        }
    }

    private func attempt(
        _ push: PreparedPush,
        by author: StoredAccount,
        for account: StoredAccount
    ) async throws -> PushOutcome {
        // Reading and parsing need not keep other writers waiting.
        let found = try await read(of: account) { try push.resolve(in: $0, for: account) }
        switch found {
        case .ready(let resolved): return try await commit(resolved, by: author, for: account)
        // That a member names a content does not say that he may read it.
        case .missing(let missing) where author.id == account.id:
            return try await attempt(push, takingOver: missing, for: account)
        default: return found
        }
    }

    /// Tries once more, with those contents of which files are here that no row names.
    private func attempt(
        _ push: PreparedPush,
        takingOver missing: Lockbook_V1_MissingResponse,
        for account: StoredAccount
    ) async throws -> PushOutcome {
        let names = try hashes(missing.blobs).map { BlobName(hash: $0) }
        let files = try await filesToTakeOver(names, of: account)
        guard !files.isEmpty else { return .missing(missing) }
        let push = push.takingOver(files)
        let found = try await read(of: account) { try push.resolve(in: $0, for: account) }
        guard case .ready(let resolved) = found else { return found }
        do {
            let outcome = try await commit(resolved, by: account, for: account)
            if case .accepted = outcome { await tookOver(files, of: account) }
            return outcome
        } catch let refusal as Refusal where refusal.kind == .tooLarge {
            // There is no room for them, and may be for all else.
            return .missing(missing)
        } catch StoreFailure.collected {
            return .collected
        }
    }

    private func commit(
        _ resolved: ResolvedPush,
        by author: StoredAccount,
        for account: StoredAccount
    ) async throws -> PushOutcome {
        let push = resolved.push
        let now = settings.now()
        let isKept = { (outcome: PushOutcome) in
            if case .accepted = outcome { true } else { false }
        }
        return try await place(
            push.parcel.files,
            takingOver: push.unnamed,
            of: account,
            keeping: isKept
        ) {
            try await write(of: account, by: author) { store in
                let ending = try limit(ending: resolved, of: account.key, in: store)
                let outcome = try resolved.commit(to: store, for: account, at: now)
                if case .accepted = outcome {
                    try requireRoom(
                        for: account.key,
                        contents: !push.contents.isEmpty,
                        ending: ending,
                        in: store
                    )
                }
                return outcome
            }
        }
    }

    private func moved(
        _ header: EntryHeader,
        for account: StoredAccount,
        reader: StoredAccount
    ) async throws -> Lockbook_V1_PushResponse {
        let known = LogHead(position: header.position - 1, hash: header.previous)
        return try await store.read { store in
            let account = try store.requireAccount(account.id)
            var response = Lockbook_V1_PushResponse()
            response.moved = try logReader(of: account, for: reader, in: store)
                .page(after: LogReader.Known(head: known))
            return response
        }
    }
}

/// How far a push came.
enum PushOutcome: Sendable {
    case accepted
    case moved
    case missing(Lockbook_V1_MissingResponse)
    /// Everything is here and valid; it remains to be written.
    case ready(ResolvedPush)
    /// A file that it takes over is not what it was.
    case collected
}
