import Foundation
import HTTPTypes
import LockbookAPI
import LockbookCrypto
import SwiftProtobuf

@testable import LockbookModel

/// Somebody with an account, who makes records by hand and checks nothing.
struct TestPerson {
    let keys: AccountKeys
    let certificate: AccountCertificate
    let account: AccountID
    let root: FileID
    var device: DeviceID
    var folders: [FileID: FileKey]
    var head: LogHead?
    /// Whether an entry of the log carries a grant.
    var isShared = false

    init(_ name: String, seed: UInt8) throws {
        guard let seed = AccountSeed(Array(repeating: seed, count: 32)),
            let username = Username(name)
        else { throw DecodingFailure.length }
        keys = try AccountKeys(seed: seed)
        certificate = try AccountCertificate(
            username: username,
            keys: keys,
            created: Timestamp(milliseconds: 1)
        )
        account = certificate.account
        root = FileID(rootOf: account)
        device = DeviceID(random: .system)
        folders = [root: FileKey(random: .system)]
    }

    func file(
        _ name: String,
        in parent: FileID? = nil,
        id: FileID = FileID(random: .system),
        type: FileType = .document,
        blob: [UInt8]? = nil,
        isDeleted: Bool = false,
        epoch: UInt32 = 1,
        parentEpoch: UInt32 = 1
    ) throws -> File {
        var file = File(
            id: id,
            parent: parent ?? root,
            type: type,
            name: try FileName(name),
            at: Timestamp(milliseconds: 5),
            author: account,
            device: device,
            deviceName: "test",
            scope: root,
            epoch: epoch,
            parentEpoch: parentEpoch
        )
        file.isDeleted = isDeleted
        if let blob {
            file.content = Content(
                version: VersionID(random: .system),
                key: ContentKey(random: .system),
                digest: Hash256(sha256: blob),
                size: UInt64(blob.count),
                compression: .none,
                blob: BlobName(of: blob),
                blobSize: UInt64(blob.count)
            )
        }
        return file
    }

    /// Seals a record, whatever it says.
    mutating func record(_ file: File, owner: AccountID? = nil) throws -> FileRecord {
        let key = folders[file.id] ?? FileKey(random: .system)
        folders[file.id] = key
        let folder =
            file.parent == file.id
            ? FolderKeys(root: keys)
            : FolderKeys(of: folders[file.parent] ?? FileKey(random: .system))
        return try FileRecord(
            sealing: file,
            owner: owner ?? account,
            key: key,
            previous: file.epoch > 1 ? FileKey(random: .system) : nil,
            in: folder,
            random: .system
        )
    }

    /// An entry after the head that this person knows, listing these records.
    func push(
        _ records: [FileRecord],
        blobs: [[UInt8]] = [],
        purging purged: [FileID] = [],
        inline: Bool = true,
        scope: FileID? = nil,
        after head: LogHead? = nil,
        device: DeviceID? = nil
    ) throws -> (request: Lockbook_V1_PushRequest, head: LogHead) {
        let group = EntryGroup(
            scope: scope ?? root,
            records: records.map { RecordReference(file: $0.facts.id, hash: $0.hash) },
            purged: purged
        )
        let known = head ?? self.head ?? LogHead(position: 0, hash: .zero)
        let header = try EntryHeader(
            log: account,
            position: known.position + 1,
            previous: known.hash,
            author: account,
            device: device ?? self.device,
            bodyHash: EntryBody(groups: [.whole(group.bytes)]).hash,
            created: Timestamp(milliseconds: 9),
            signedBy: keys.signing
        )
        var request = Lockbook_V1_PushRequest()
        request.header = Data(header.bytes)
        request.groups = [Data(group.bytes)]
        if inline { request.records = records.map { Data($0.bytes) } }
        request.blobs = blobs.map(Lockbook_V1_Blob.init(of:))
        return (request, LogHead(header))
    }

    func registration() throws -> (request: Lockbook_V1_RegisterRequest, head: LogHead) {
        var person = self
        let record = try person.record(
            try file("someone", in: root, id: root, type: .folder)
        )
        let group = EntryGroup(
            scope: root,
            records: [RecordReference(file: root, hash: record.hash)]
        )
        let header = try EntryHeader(
            log: account,
            position: 0,
            previous: .zero,
            author: account,
            device: device,
            bodyHash: EntryBody(
                certificate: certificate.bytes,
                groups: [.whole(group.bytes)]
            ).hash,
            created: Timestamp(milliseconds: 1),
            signedBy: keys.signing
        )
        var request = Lockbook_V1_RegisterRequest()
        request.certificate = Data(certificate.bytes)
        request.header = Data(header.bytes)
        request.group = Data(group.bytes)
        request.rootRecord = Data(record.bytes)
        return (request, LogHead(header))
    }
}

extension Lockbook_V1_Blob {
    init(of bytes: [UInt8]) {
        self.init()
        name = Data(BlobName(of: bytes).hash.bytes)
        content = Data(bytes)
    }
}
