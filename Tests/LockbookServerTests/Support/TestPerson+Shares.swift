import Foundation
import LockbookAPI
import LockbookCrypto
import LockbookModel

/// What an entry does in one scope, as a client without checks would put it together.
struct ScopeChange {
    var scope: FileID
    var records: [FileRecord] = []
    var grants: [Grant] = []
    var wraps: [GranteeWrap] = []
    var purged: [FileID] = []
    var left: [FileID] = []
    var inner: [FileID] = []
    var isMoved = false

    var group: EntryGroup {
        EntryGroup(
            scope: scope,
            records: records.map { RecordReference(file: $0.facts.id, hash: $0.hash) },
            grants: grants,
            wraps: wraps,
            purged: purged,
            left: left,
            inner: inner,
            isMoved: isMoved
        )
    }
}

extension TestPerson {
    func grant(
        _ file: FileID,
        to other: TestPerson,
        _ mode: ShareMode,
        serial: UInt64 = 1,
        owner: AccountID? = nil,
        named name: Username? = nil
    ) throws -> Grant {
        try Grant(
            owner: owner ?? account,
            file: file,
            grantee: other.keys.publicKeys,
            named: name ?? other.certificate.username,
            mode: mode,
            grantor: account,
            serial: serial,
            created: Timestamp(milliseconds: 7),
            signedBy: keys.signing
        )
    }

    func wrap(_ file: FileID, for other: TestPerson, epoch: UInt32 = 1) throws -> GranteeWrap {
        try GranteeWrap(
            folders[file] ?? FileKey(random: .system),
            owner: account,
            file: file,
            epoch: epoch,
            grantee: other.keys.publicKeys
        )
    }

    /// An entry in the log of `owner` after a head; the scopes are signed with it.
    func entry(_ changes: [ScopeChange], in log: AccountID, after head: LogHead) throws
        -> (request: Lockbook_V1_PushRequest, head: LogHead)
    {
        let groups = changes.sorted { $0.scope < $1.scope }.map(\.group)
        let header = try EntryHeader(
            log: log,
            position: head.position + 1,
            previous: head.hash,
            author: account,
            device: device,
            bodyHash: EntryBody(
                groups: groups.map { .whole($0.bytes) },
                scopes: groups.map(\.scope)
            ).hash,
            created: Timestamp(milliseconds: 9),
            signedBy: keys.signing
        )
        var request = Lockbook_V1_PushRequest()
        request.header = Data(header.bytes)
        request.groups = groups.map { Data($0.bytes) }
        request.records = changes.flatMap(\.records).map { Data($0.bytes) }
        return (request, LogHead(header))
    }

    /// - Returns: the new head when the entry was accepted.
    func push(
        _ changes: [ScopeChange],
        in log: AccountID,
        after head: LogHead,
        to server: TestServer
    ) async throws -> LogHead? {
        let (request, head) = try entry(changes, in: log, after: head)
        let answer: Lockbook_V1_PushResponse = try await send(request, to: .push, of: server)
        guard case .accepted = answer.outcome else { return nil }
        return head
    }
}
