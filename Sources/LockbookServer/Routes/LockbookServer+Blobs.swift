import FoundationEssentials
import LockbookAPI
import LockbookCrypto
import LockbookModel
import Logging
import NIOCore

extension LockbookServer {
    /// Small blobs in the order asked, as many of the first as fit; unknown ones are left out.
    func blobs(_ request: Lockbook_V1_BlobsRequest, for account: StoredAccount) async throws
        -> Lockbook_V1_BlobsResponse
    {
        guard request.names.count <= Wire.maximumNamesPerRequest else {
            throw Refusal(.tooLarge, "too many names in one request")
        }
        let names = try hashes(request.names).map { BlobName(hash: $0) }
        let (reader, pageByteCount) = (account.id, settings.pageByteCount)
        let account = try await owner(request.log, for: account, atLeast: .read)
        let found = try await read(of: account) { store in
            var reader = try BlobReader(reader, of: account, in: store)
            var found: [(blob: StoredBlob, content: [UInt8]?)] = []
            var byteCount = 0
            for case let blob? in try store.blobs(names, of: account.key)
            where try reader.mayHave(blob) {
                guard blob.size <= UInt64(Wire.smallBlobByteCount) else {
                    throw Refusal(.malformed, "a blob over 1 MiB is read in segments")
                }
                byteCount += Int(blob.size) + 64
                if byteCount > pageByteCount, !found.isEmpty { break }
                found.append((blob, try store.content(of: blob)))
            }
            return found
        }
        let blobStore = blobStore
        let (response, lost) = try await onOwnThread {
            var response = Lockbook_V1_BlobsResponse()
            var lost: [LostFile] = []
            for (blob, content) in found {
                var message = Lockbook_V1_Blob()
                message.name = blob.name.hash.data
                if let content {
                    message.content = Data(content)
                } else {
                    let (owner, size) = (account.id, Int(blob.size))
                    do {
                        let bytes = try blobStore.read(blob.name, of: owner, offset: 0, count: size)
                        message.content = Data(bytes.readableBytesView)
                    } catch let unreadable as UnreadableBlob {
                        lost.append(LostFile(name: blob.name, reason: unreadable.reason))
                        continue
                    }
                }
                response.blobs.append(message)
            }
            return (response, lost)
        }
        for file in lost { try await tell(of: file, of: account) }
        return response
    }

    /// The file of a content that cannot be read, as when a disk was put back or lost a part of it: it keeps
    /// nothing else from being read.
    private struct LostFile: Sendable {
        let name: BlobName
        let reason: String
    }

    /// Says in the log which file it is, unless a collection took the content meanwhile.
    private func tell(of lost: LostFile, of account: StoredAccount) async throws {
        let isKnown = try await read(of: account) {
            try $0.blobs([lost.name], of: account.key) != [nil]
        }
        guard isKnown else { return }
        logger.error(
            "the file of a content is missing or damaged: put it back from a copy of the folder",
            metadata: ["file": "\(lost.name)", "reason": "\(lost.reason)"]
        )
    }

    func segments(_ request: Lockbook_V1_SegmentsRequest, for account: StoredAccount) async throws
        -> Lockbook_V1_SegmentsResponse
    {
        guard let hash = Hash256(request.name) else {
            throw Refusal(.malformed, "a hash is 32 bytes")
        }
        let reader = account.id
        let account = try await owner(request.log, for: account, atLeast: .read)
        return try await read(of: account) { store in
            var reader = try BlobReader(reader, of: account, in: store)
            let found = try store.blobs([BlobName(hash: hash)], of: account.key).first ?? nil
            guard let blob = found, try reader.mayHave(blob) else {
                throw Refusal(.notFound, "this blob is not here")
            }
            var response = Lockbook_V1_SegmentsResponse()
            response.length = blob.size
            response.segments = try store.segments(of: blob).map(\.data)
            return response
        }
    }

    /// The bytes of some segments of a blob.
    func blob(
        _ name: BlobName,
        first: Int,
        count: Int,
        log: AccountID?,
        for account: StoredAccount
    ) async throws -> ByteBuffer {
        guard (1...Wire.segmentsPerRequest).contains(count) else {
            throw Refusal(.malformed, "1 to \(Wire.segmentsPerRequest) segments at a time")
        }
        let reader = account.id
        let account = try await owner(log ?? account.id, for: account, atLeast: .read)
        let (blob, content) = try await read(of: account) { store in
            var reader = try BlobReader(reader, of: account, in: store)
            let found = try store.blobs([name], of: account.key).first ?? nil
            guard let blob = found, try reader.mayHave(blob) else {
                throw Refusal(.notFound, "this blob is not here")
            }
            return (blob, try store.content(of: blob))
        }
        let offset = UInt64(first) << 20
        guard offset < blob.size else {
            throw Refusal(.malformed, "the blob has fewer segments")
        }
        let byteCount = Int(min(blob.size - offset, UInt64(count) << 20))
        if let content {
            return ByteBuffer(bytes: content)
        }
        let (blobStore, owner) = (blobStore, account.id)
        do {
            return try await onOwnThread {
                try blobStore.read(name, of: owner, offset: offset, count: byteCount)
            }
        } catch let unreadable as UnreadableBlob {
            try await tell(of: LostFile(name: name, reason: unreadable.reason), of: account)
            throw Refusal(.notFound, "this blob is lost or damaged here")
        }
    }
}

/// Which blobs of a log an account may have: its owner all, and others those that a record names in
/// a scope that they may read.
///
/// Blobs of one request are mostly of the same scopes, which are looked at once.
struct BlobReader {
    private let store: any MetadataReading
    /// Nil for the owner.
    private let member: MemberView?
    private var seen: [FileID: Bool] = [:]
    /// One that very many records name may be asked for many times.
    private var namings: [BlobKey: Naming] = [:]

    private enum Naming {
        case nobody, hidden, seen
    }

    /// How often the records were asked who names a blob, for tests.
    private(set) var lookUpCount = 0

    init(_ reader: AccountID, of owner: StoredAccount, in store: any MetadataReading) throws {
        self.store = store
        member = try reader == owner.id ? nil : store.memberView(of: reader, in: owner.key)
    }

    mutating func mayHave(_ blob: StoredBlob) throws -> Bool {
        guard member != nil else { return true }
        return try naming(of: blob) == .seen
    }

    /// Whether a record of this account's may name a blob: who could name one that he may not read would read it.
    mutating func mayName(_ blob: StoredBlob) throws -> Bool {
        guard member != nil else { return true }
        let naming = try naming(of: blob)
        return naming == .nobody ? !blob.isLetGo : naming == .seen
    }

    private mutating func naming(of blob: StoredBlob) throws -> Naming {
        if let known = namings[blob.key] { return known }
        lookUpCount += 1
        let scopes = try store.scopes(naming: blob.key)
        let naming: Naming = try scopes.isEmpty ? .nobody : sees(scopes) ? .seen : .hidden
        namings[blob.key] = naming
        return naming
    }

    private mutating func sees(_ scopes: [FileID]) throws -> Bool {
        guard let member else { return true }
        for scope in scopes {
            let sees = try seen[scope] ?? member.sees(scope)
            seen[scope] = sees
            if sees { return true }
        }
        return false
    }
}
