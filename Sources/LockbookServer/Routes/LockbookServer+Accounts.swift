import FoundationEssentials
import LockbookAPI
import LockbookCrypto
import LockbookModel

extension LockbookServer {
    /// Begins an account's log with its first entry; the same again changes nothing.
    func register(_ request: Lockbook_V1_RegisterRequest, signedBy key: VerifyingKey) async throws
        -> Lockbook_V1_RegisterResponse
    {
        let registration = try Registration(request)
        let certificate = registration.certificate
        guard certificate.keys.request == key else {
            throw Refusal(.unauthorized, "the request is signed with another account's key")
        }
        let now = settings.now()
        try await store.write { store in
            if let known = try store.account(id: certificate.account) {
                let first = try store.entry(0, of: known.key)
                guard first?.hash == registration.entry.headerHash,
                    known.certificate == certificate.bytes
                else {
                    throw Refusal(.nameTaken, "this account began with another entry here")
                }
                return
            }
            if let ended = try store.end(of: certificate.account) { throw Refusal(ended) }
            // Before the name is looked at: whoever is no user here does not learn who is.
            guard settings.isOpen else {
                throw Refusal(.notPermitted, "it takes no new accounts; ask who runs it")
            }
            guard try store.account(named: certificate.username) == nil,
                try store.end(named: certificate.username) == nil,
                try store.account(requestKey: key.bytes) == nil
            else { throw Refusal(.nameTaken, "the username is taken") }
            guard certificate.username.mayBeNew else {
                throw Refusal(.malformed, "a username begins and ends with a letter or a digit")
            }
            try registration.insert(into: store, at: now)
        }
        return Lockbook_V1_RegisterResponse()
    }

    /// What a device that has nothing but the key is told of its account.
    func introduction(to account: StoredAccount, _ request: Lockbook_V1_AccountRequest)
        async throws -> Lockbook_V1_AccountResponse
    {
        guard request.username.isEmpty else { return try await introduction(of: request.username) }
        var response = Lockbook_V1_AccountResponse()
        response.certificate = Data(account.certificate)
        let newest = try await store.read {
            try $0.entry(account.head.position, of: account.key)
        }
        guard let newest else { throw StoreFailure.damaged }
        response.newest = Data(newest.header)
        return response
    }
}

extension LockbookServer {
    /// The certificate of somebody with whom something is to be shared.
    private func introduction(of name: String) async throws -> Lockbook_V1_AccountResponse {
        guard let username = Username(name) else { throw Self.noSuchName }
        let account = try await store.read { store in
            if let account = try store.account(named: username) { return account }
            guard let ended = try store.end(named: username) else { throw Self.noSuchName }
            throw Refusal(ended, "the account of this name was deleted by its owner")
        }
        var response = Lockbook_V1_AccountResponse()
        response.certificate = Data(account.certificate)
        return response
    }

    private static let noSuchName = Refusal(.notFound, "there is no account of this name here")
}

/// A registration whose every part was checked against the others.
private struct Registration: Sendable {
    let certificate: AccountCertificate
    let root: FileRecord
    private(set) var entry: NewEntry

    init(_ request: Lockbook_V1_RegisterRequest) throws {
        certificate = try AccountCertificate(verifying: Array(request.certificate))
        let account = certificate.account
        let header = try EntryHeader(Array(request.header))
        try header.verify(after: nil, in: account)
        guard header.author == account else { throw VerificationFailure.author }
        try header.verify(by: certificate.keys.signing)
        let groupBytes = Array(request.group)
        let body = EntryBody(certificate: certificate.bytes, groups: [.whole(groupBytes)])
        guard body.hash == header.bodyHash else { throw VerificationFailure.hash }
        let group = try EntryGroup(groupBytes)
        root = try FileRecord(Array(request.rootRecord))
        let facts = root.facts
        guard group.scope == FileID(rootOf: account), group.grants.isEmpty, group.wraps.isEmpty,
            group.purged.isEmpty,
            group.records == [RecordReference(file: facts.id, hash: root.hash)]
        else { throw VerificationFailure.hash }
        guard facts.device == header.device else { throw VerificationFailure.author }
        var validator = PushValidator(before: EmptyTree(), owner: account)
        try validator.validate([facts], by: account) { $0.author == account }
        entry = NewEntry(
            header: header,
            headerHash: header.hash,
            certificate: certificate.bytes,
            groups: [(group.scope, groupBytes)],
            time: 0
        )
    }

    func insert(into store: any MetadataWriting, at time: Int64) throws {
        var entry = entry
        entry.time = time
        let head = LogHead(position: 0, hash: entry.headerHash)
        let log = try store.insert(certificate, head: head)
        try store.append(entry, to: log)
        let keys = try store.insert(
            [NewRecord(hash: root.hash, bytes: root.bytes)],
            of: log,
            at: time
        )
        guard let key = keys.first else { throw StoreFailure.damaged }
        try store.apply([NewVersion(facts: root.facts, record: key)], at: 0, to: log)
    }
}

/// The tree before its first entry.
private struct EmptyTree: FactsView {
    func facts(_ id: FileID) -> FileFacts? { nil }
    func undeletedChild(of parent: FileID, tagged tag: Hash256) -> FileID? { nil }
}
