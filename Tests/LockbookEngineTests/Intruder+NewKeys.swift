import LockbookCrypto
import LockbookModel
import LockbookTestSupport
import Testing

@testable import LockbookEngine

extension Intruder {
    /// What is wrong with new keys that an admin gives to all of a share.
    enum Ruin: CaseIterable, Sendable {
        /// They open for nobody.
        case keys
        /// They open, and nothing else does.
        case bodies
        /// All opens, and the keys of before are not where they should be.
        case earlierKeys
    }

    /// Gives all of the shared folder new keys, in one entry, as an admin.
    /// - Parameter deleted: what in it is in the trash after that.
    func ruin(_ ruin: Ruin, deleting deleted: String? = nil) async throws {
        _ = try await lockbook.sync()
        let (records, wraps) = try share.store.read { tree in
            let top = try #require(try tree.row(scope))
            let sealed = try tree.records(below: top, rotating: true)
            let key = try #require(sealed.keys[scope])
            let owner = try #require(try tree.contact(self.owner)).keys
            let wraps = try ([owner] + tree.grants(of: scope).map(\.grantee)).map { grantee in
                try GranteeWrap(
                    ruin == .keys ? FileKey(random: .system) : key.key,
                    owner: self.owner,
                    file: scope,
                    epoch: key.epoch,
                    grantee: grantee
                )
            }
            let gone = try deleted.map { try #require(try tree.child(FileName($0), of: top)) }
            return (
                try sealed.records.map { record in
                    guard let gone, gone.id == record.facts.id else {
                        return try spoil(record, ruin)
                    }
                    var file = try tree.file(gone)
                    file.isDeleted = true
                    (file.epoch, file.parentEpoch) = (record.facts.epoch, record.facts.parentEpoch)
                    (file.author, file.device) = (record.facts.author, record.facts.device)
                    return try FileRecord(
                        sealing: file,
                        owner: self.owner,
                        key: FileKey(random: .system),
                        previous: FileKey(random: .system),
                        in: FolderKeys(of: FileKey(random: .system)),
                        random: .system
                    )
                }, wraps
            )
        }
        let device = try #require(records.first).facts.device
        try await push(records, wraps: wraps.sorted { $0.grantee < $1.grantee }, device: device)
    }

    /// Signs nonsense over a note of the shared folder, under another name, and a new note under its name.
    /// - Parameter isFirst: whether the new one comes before it, wherever ids are gone through.
    func takeName(of name: String, isFirst: Bool) async throws {
        _ = try await lockbook.sync()
        let records = try share.store.read { tree in
            let top = try #require(try tree.row(scope))
            let row = try #require(try tree.child(FileName(name), of: top))
            let folder = try tree.folderKeys(of: top)
            var file = try tree.file(row)
            file.author = lockbook.store.context.author
            file.device = lockbook.account.device
            var other = file
            other.id = try #require(FileID(Array(repeating: isFirst ? 0 : 0xff, count: 16)))
            other.content = nil
            file.name = try FileName("elsewhere")
            let nonsense = try FileRecord(
                sealing: file,
                owner: owner,
                key: tree.key(of: row),
                in: folder,
                random: .system
            )
            let new = try FileRecord(
                sealing: other,
                owner: owner,
                key: FileKey(random: .system),
                in: folder,
                random: .system
            )
            return [try spoil(nonsense, .bodies), new]
        }
        try await push(records, device: lockbook.account.device)
    }

    private func spoil(_ record: FileRecord, _ ruin: Ruin) throws -> FileRecord {
        var bytes = record.bytes
        let commitment = try #require(bytes.firstRange(of: record.keyCommitment.bytes)).lowerBound
        switch ruin {
        case .keys:
            bytes[commitment + 5] ^= 1
            bytes[commitment - 2 - 3 * WrapKey.sealedByteCount / 2] ^= 1
        case .bodies: bytes[bytes.count - 20] ^= 1
        case .earlierKeys: bytes[commitment - WrapKey.sealedByteCount / 2] ^= 1
        }
        return try FileRecord(bytes)
    }
}
