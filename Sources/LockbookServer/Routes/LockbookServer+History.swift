import FoundationEssentials
import LockbookAPI
import LockbookCrypto
import LockbookModel
import SwiftProtobuf

extension LockbookServer {
    /// Groups of an entry larger than this are not sent along: the entry took in a whole folder.
    private static let provenByteCount = 256 << 10
    private static let mostVersions = 1_000

    /// The newest versions of some files, with the entries that made them.
    func history(_ request: Lockbook_V1_HistoryRequest, for account: StoredAccount) async throws
        -> Lockbook_V1_HistoryResponse
    {
        guard request.files.count <= Wire.maximumNamesPerRequest else {
            throw Refusal(.tooLarge, "too many files in one request")
        }
        let files = try request.files.map { bytes in
            guard let id = FileID(bytes) else { throw Refusal(.malformed, "an id is 16 bytes") }
            return id
        }
        let limit = min(Self.mostVersions, max(1, Int(request.limit)))
        let before = request.before == 0 ? UInt64(Int64.max) : request.before
        return try await store.read { store in
            var response = Lockbook_V1_HistoryResponse()
            var byteCount = 0
            var positions: Set<UInt64> = []
            let found = try store.versions(
                of: Array(Set(files)),
                in: account.key,
                before: before,
                limit: limit
            )
            response.more = found.hasMore
            for version in found.versions {
                if byteCount > Wire.batchByteCount {
                    response.more = true
                    break
                }
                byteCount += version.bytes.count + 64
                response.versions.append(
                    .with {
                        $0.position = version.position
                        $0.record = Data(version.bytes)
                    }
                )
                guard positions.insert(version.position).inserted else { continue }
                let entry = try Self.entry(version.position, of: account.key, in: store)
                byteCount += entry.groups.reduce(400) { $0 + $1.count }
                response.entries.append(entry)
            }
            return response
        }
    }

    private static func entry(
        _ position: UInt64,
        of log: AccountKey,
        in store: any MetadataReading
    ) throws -> Lockbook_V1_HistoryEntry {
        guard let stored = try store.entry(position, of: log) else { throw StoreFailure.damaged }
        let groups = try store.groups(position, of: log)
        var entry = Lockbook_V1_HistoryEntry()
        entry.header = Data(stored.header)
        entry.certificate = Data(stored.certificate ?? [])
        if groups.reduce(0, { $0 + $1.count }) <= provenByteCount {
            entry.groups = groups.map { Data($0) }
        }
        return entry
    }
}
