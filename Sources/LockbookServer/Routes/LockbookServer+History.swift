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
        let reader = account.id
        let account = try await owner(request.log, for: account, atLeast: .read)
        let before = request.before == 0 ? UInt64(Int64.max) : request.before
        let pageByteCount = settings.pageByteCount
        return try await read(of: account) { store in
            let member =
                reader == account.id
                ? nil : try store.memberView(of: reader, in: account.key)
            var response = Lockbook_V1_HistoryResponse()
            var byteCount = 0
            let reading = GroupReading(atMost: settings.readByteCount)
            var positions: Set<UInt64> = []
            let found = try store.versions(
                of: Array(Set(files)),
                in: account.key,
                before: before,
                limit: limit
            )
            response.more = found.hasMore
            for version in found.versions {
                if byteCount > pageByteCount || reading.isOver {
                    response.more = true
                    break
                }
                // Of a member's scopes, and from when he could see them.
                if let member {
                    let scope = try FileRecord(version.bytes).facts.scope
                    guard try member.sees(scope, at: version.position) else { continue }
                }
                byteCount += version.bytes.count + 64
                response.versions.append(
                    .with {
                        $0.position = version.position
                        $0.record = Data(version.bytes)
                    }
                )
                guard positions.insert(version.position).inserted else { continue }
                let entry = try Self.entry(
                    version.position,
                    of: account.key,
                    member,
                    in: store,
                    reading
                )
                byteCount += entry.groups.reduce(400) { $0 + $1.count }
                byteCount += entry.seen.reduce(0) { $0 + $1.whole.count + 64 }
                response.entries.append(entry)
            }
            return response
        }
    }

    private static func entry(
        _ position: UInt64,
        of log: AccountKey,
        _ member: MemberView?,
        in store: any MetadataReading,
        _ reading: GroupReading
    ) throws -> Lockbook_V1_HistoryEntry {
        guard let stored = try store.entry(position, of: log) else { throw StoreFailure.damaged }
        let groups = try store.groups(position, of: log)
        reading.note(groups.reduce(0) { $0 + $1.count })
        var entry = Lockbook_V1_HistoryEntry()
        entry.header = Data(stored.header)
        entry.certificate = Data(stored.certificate ?? [])
        if let member {
            let seen = try groups.map { try member.group($0, at: position) }
            if seen.reduce(0, { $0 + $1.whole.count }) <= provenByteCount { entry.seen = seen }
            return entry
        }
        if groups.reduce(0, { $0 + $1.count }) <= provenByteCount {
            entry.groups = groups.map { Data($0) }
        }
        return entry
    }
}

extension MemberView {
    /// A group as this reader gets it: whole, or its scope and hash.
    fileprivate func group(_ bytes: [UInt8], at position: UInt64) throws -> Lockbook_V1_Group {
        let scope = try EntryGroup(bytes).scope
        let isSeen = try sees(scope, at: position)
        return .with {
            if isSeen {
                $0.whole = Data(bytes)
            } else {
                $0.hidden = Data(scope.bytes + EntryGroup.hash(of: bytes).bytes)
            }
        }
    }
}
