import LockbookCrypto
import LockbookEngine
import LockbookModel
import LockbookServer
import LockbookTestSupport
import Testing

/// All that a server has of one log, the superseded records and wraps too.
struct ServerHistory {
    var records: [FileRecord] = []
    var wraps: [GranteeWrap] = []

    /// Every key that follows from what an account opens, by brute force.
    func keys(of account: AccountKeys) throws -> [FileKey] {
        var found: [FileKey] = []
        for wrap in wraps where wrap.grantee == AccountID(account.publicKeys) {
            found.append(try wrap.open(with: account.agreement))
        }
        var opened: Set<Hash256> = []
        var index = 0
        while index < found.count {
            let folder = FolderKeys(of: found[index])
            index += 1
            for record in records where !opened.contains(record.keyCommitment) {
                guard let key = try? record.key(in: folder) else { continue }
                opened.insert(record.keyCommitment)
                if !found.contains(key) { found.append(key) }
            }
        }
        return found
    }

    /// What is in it, and was not in an earlier one.
    func records(since before: ServerHistory) -> [FileRecord] {
        let known = Set(before.records.map(\.hash))
        return records.filter { !known.contains($0.hash) }
    }
}

extension TestServer {
    /// What it has of the log of whose device that is.
    func history(of device: Device) async throws -> ServerHistory {
        let owner = try #require(AccountID(hex: device.lockbook.accountInfo().id))
        return try await folder.store.read { store in
            let account = try #require(try store.account(id: owner))
            var history = ServerHistory()
            for position in 0...account.head.position {
                for bytes in try store.groups(position, of: account.key) {
                    let group = try EntryGroup(bytes)
                    history.wraps += group.wraps
                    let found = try store.records(group.records.map(\.hash), of: account.key)
                    history.records += try found.compactMap {
                        try $0.map { try FileRecord($0.bytes) }
                    }
                }
            }
            return history
        }
    }
}

extension AccountID {
    fileprivate init?(hex: String) {
        guard let bytes = [UInt8](hex: hex), let hash = Hash256(bytes) else { return nil }
        self.init(hash: hash)
    }
}
