import Foundation
import LockbookAPI
import LockbookCrypto
import LockbookModel
import LockbookTestSupport
import SwiftProtobuf
import Testing

@testable import LockbookEngine

/// Somebody in a share who signs what he likes, and pushes it past his own client.
struct Intruder {
    /// What about a record does not open, or opens and shuts out all that stands in it.
    enum Nonsense: CaseIterable, Sendable {
        case wrappedKey, keyCommitment, body, otherKey
        /// A body that a newer program might have written.
        case laterFormat
    }

    // Its folder is there as long as it is.
    private let cafe: Device
    let lockbook: Lockbook
    let share: Lockbook
    let owner: AccountID
    let scope: FileID
    let device = DeviceID(random: .system)

    /// - Parameter path: of the shared folder.
    init(_ device: Device, in path: String) throws {
        cafe = device
        lockbook = device.lockbook
        let target = try lockbook.store.read { tree in
            try #require(try tree.file(tree.find(.path(path))).target)
        }
        (owner, scope) = (target.owner, target.file)
        share = try #require(try lockbook.shared(by: owner))
    }

    /// The owner of a shared folder himself.
    init(owner device: Device, of path: String) throws {
        cafe = device
        lockbook = device.lockbook
        share = lockbook
        owner = lockbook.store.context.owner
        scope = try #require(FileID(hex: try lockbook.info(.path(path)).id))
    }

    /// Signs a record that a file in the shared folder, or this itself, has for its newest one.
    func write(_ nonsense: Nonsense?, over name: String? = nil) async throws {
        try await push([try record(nonsense, over: name)])
    }

    /// The same in an answer to a pull, which no server gave that looks at what it takes.
    func add(
        _ nonsense: Nonsense?,
        over name: String,
        purging purged: [FileID] = [],
        to body: [UInt8]
    ) throws -> [UInt8] {
        try add([try record(nonsense, over: name)], purging: purged, to: body, log: 0)
    }

    /// - Parameters:
    ///   - purged: what the entry purges in the group of the shared folder.
    ///   - log: which of those in the answer.
    func add(
        _ records: [FileRecord],
        purging purged: [FileID] = [],
        to body: [UInt8],
        log: Int
    ) throws -> [UInt8] {
        var response = try Lockbook_V1_PullResponse(serializedBytes: Data(body))
        let previous = try #require(Hash256(Array(response.logs[log].head)))
        let (header, group) = try entry(
            of: records,
            purging: purged,
            after: LogHead(position: response.logs[log].headPosition, hash: previous)
        )
        response.logs[log].entries.append(
            .with {
                $0.header = Data(header.bytes)
                $0.groups = [.with { $0.whole = Data(group.bytes) }]
            }
        )
        response.logs[log].records += records.map { Data($0.bytes) }
        response.logs[log].headPosition += 1
        response.logs[log].head = Data(header.hash.bytes)
        return Array(try response.serializedData() as Data)
    }

    private func record(_ nonsense: Nonsense?, over name: String?) throws -> FileRecord {
        try share.store.read { tree in
            let top = try #require(try tree.row(scope))
            let row =
                try name.map { try #require(try tree.child(FileName($0), of: top)) } ?? top
            var file = try tree.file(row)
            (file.author, file.device) = (lockbook.store.context.author, device)
            let key = nonsense == .otherKey ? FileKey(random: .system) : try tree.key(of: row)
            let sealed: FileRecord
            if row.id == scope {
                // The wrapped key of a shared folder itself is its owner's to seal.
                sealed = try FileRecord(
                    sealing: file,
                    keeping: try FileRecord(#require(row.base)),
                    key: key,
                    random: .system
                )
            } else {
                sealed = try FileRecord(
                    sealing: file,
                    owner: owner,
                    key: key,
                    in: try tree.folderKeys(above: row),
                    random: .system
                )
            }
            guard let nonsense else { return sealed }
            return try nonsense == .laterFormat ? later(sealed, key) : spoil(sealed, nonsense)
        }
    }

    /// A new file in the shared folder, with the first key of its own and of its folder.
    func file(
        _ type: FileType,
        _ name: String,
        in folder: FileID,
        id: FileID = FileID(random: .system)
    ) throws -> File {
        File(
            id: id,
            parent: folder,
            type: type,
            name: try FileName(name),
            at: Timestamp(milliseconds: 1),
            author: lockbook.store.context.author,
            device: device,
            deviceName: "elsewhere",
            scope: scope,
            epoch: 1,
            parentEpoch: 1
        )
    }

    /// Pushes new folders that stand in each other, the first of them in the shared one.
    /// - Parameter entries: in how many entries.
    func makeFolders(_ nonsense: Nonsense, depth: Int, entries: Int) async throws {
        let records = try share.store.read { tree in
            let top = try #require(try tree.row(scope))
            var folder = FolderKeys(of: try tree.key(of: top))
            var parent = scope
            return try (0..<depth).map { number in
                let key = FileKey(random: .system)
                let file = try file(.folder, "folder \(number)", in: parent)
                let record = try FileRecord(
                    sealing: file,
                    owner: owner,
                    key: key,
                    in: folder,
                    random: .system
                )
                (parent, folder) = (file.id, FolderKeys(of: key))
                return number == 0 ? try spoil(record, nonsense) : record
            }
        }
        let first = entries == 1 ? records.count : 1
        try await push(Array(records[..<first]))
        if first < records.count { try await push(Array(records[first...])) }
    }

    private func spoil(_ record: FileRecord, _ nonsense: Nonsense) throws -> FileRecord {
        var bytes = record.bytes
        // The facts are checked by the server; behind them stand the wrapped key, whether there is an earlier
        // one, and what names the key.
        let commitment = try #require(bytes.firstRange(of: record.keyCommitment.bytes)).lowerBound
        switch nonsense {
        case .wrappedKey: bytes[commitment - 1 - WrapKey.sealedByteCount / 2] ^= 1
        case .keyCommitment: bytes[commitment + 5] ^= 1
        case .body: bytes[bytes.count - 20] ^= 1
        case .otherKey, .laterFormat: break
        }
        return try FileRecord(bytes)
    }

    private func later(_ record: FileRecord, _ key: FileKey) throws -> FileRecord {
        var bound = CanonicalEncoder(label: "lockbook/v1/body")
        bound.append(fixed: record.bytes.prefix(record.facts.blob == nil ? 172 : 212))
        // As long as that of any short name; behind it stands the count of an empty extension.
        let body = try key.bodyKey().seal(
            [2] + [UInt8](repeating: 0, count: 191),
            bound: bound.bytes,
            random: .system
        )
        return try FileRecord(record.bytes.dropLast(body.count + 4) + body + [0, 0, 0, 0])
    }

    /// - Parameter device: that of the records, where it is not the one that all others are of.
    func push(
        _ records: [FileRecord],
        grants: [Grant] = [],
        wraps: [GranteeWrap] = [],
        device: DeviceID? = nil
    ) async throws {
        _ = try await lockbook.sync()
        let head = try #require(try share.store.read { try $0.head() })
        let (header, group) = try entry(of: records, grants, wraps, after: head, device: device)
        let client = try ServerClient(
            account: lockbook.account,
            keys: lockbook.keys,
            environment: lockbook.environment,
            clockOffset: 0
        )
        let answer: Lockbook_V1_PushResponse = try await client.ask(
            .push,
            .with {
                $0.header = Data(header.bytes)
                $0.groups = [Data(group.bytes)]
                $0.records = records.map { Data($0.bytes) }
            } as Lockbook_V1_PushRequest
        )
        await client.close()
        guard case .accepted = answer.outcome else {
            throw LockbookError.refused(reason: "\(answer)")
        }
    }

    private func entry(
        of records: [FileRecord],
        _ grants: [Grant] = [],
        _ wraps: [GranteeWrap] = [],
        purging purged: [FileID] = [],
        after head: LogHead,
        device: DeviceID? = nil
    ) throws -> (header: EntryHeader, group: EntryGroup) {
        let group = EntryGroup(
            scope: scope,
            records: records.map { RecordReference(file: $0.facts.id, hash: $0.hash) }
                .sorted { $0.file < $1.file },
            grants: grants,
            wraps: wraps,
            purged: purged
        )
        let header = try EntryHeader(
            log: owner,
            position: head.position + 1,
            previous: head.hash,
            author: lockbook.store.context.author,
            device: device ?? self.device,
            bodyHash: EntryBody(groups: [.whole(group.bytes)], scopes: [scope]).hash,
            created: Timestamp(milliseconds: 1),
            signedBy: lockbook.keys.signing
        )
        return (header, group)
    }
}
