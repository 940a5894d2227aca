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
    /// - Parameter path: of a file below the shared folder that is spared.
    func ruin(_ ruin: Ruin, sparing name: String? = nil) async throws {
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
            let spared = try name.map { try #require(try tree.child(FileName($0), of: top)).id }
            return (
                try sealed.records.map { $0.facts.id == spared ? $0 : try spoil($0, ruin) }, wraps
            )
        }
        let device = try #require(records.first).facts.device
        try await push(records, wraps: wraps.sorted { $0.grantee < $1.grantee }, device: device)
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
