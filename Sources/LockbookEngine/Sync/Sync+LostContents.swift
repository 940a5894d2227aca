import LockbookCrypto
import LockbookModel

/// Contents that keep no other ones from coming in one sync: lost by a server's disk, or not what was written.
struct PassedContents {
    private static let mostMissing = 1_000
    private static let mostOther = 8
    /// So many of those that were lost before are asked for in one sync, each of which costs a request.
    private static let triedCount = 16

    /// Lost before, and asked for in a later sync.
    private var untried: [BlobName]
    private let tried: [BlobName]
    private var missing: [BlobName] = []
    private var other = 0
    private var all: Set<BlobName>

    /// - Parameter lost: what the server did not have in earlier syncs, in the order in which it is tried.
    init(lost: [BlobName] = []) {
        tried = Array(lost.prefix(Self.triedCount))
        untried = Array(lost.dropFirst(Self.triedCount))
        all = Set(untried)
    }

    func contains(_ name: BlobName) -> Bool { all.contains(name) }

    /// - Returns: false when there are too many.
    mutating func pass(_ content: MissingContent) -> Bool {
        guard missing.count < Self.mostMissing, all.insert(content.name).inserted else {
            return false
        }
        missing.append(content.name)
        return true
    }

    mutating func pass(_ content: OtherContent) -> Bool {
        other += 1
        return other <= Self.mostOther && all.insert(content.name).inserted
    }

    /// Has all be asked for where one of those tried has come: the server has them again, it may be.
    /// - Parameter wanted: all that are not here.
    /// - Returns: whether there are more to be asked for now.
    mutating func tryAll(of wanted: Set<BlobName>) -> Bool {
        let isBack = tried.contains { !wanted.contains($0) }
        guard isBack, untried.contains(where: wanted.contains) else { return false }
        all.subtract(untried)
        untried = []
        return true
    }

    /// What is lost, those first that are to be tried first.
    /// - Parameter wanted: all that are not here.
    func lost(of wanted: Set<BlobName>) -> (untried: [BlobName], all: [BlobName]) {
        let untried = untried.filter { wanted.contains($0) }
        return (untried, untried + missing.filter { wanted.contains($0) })
    }
}

extension LocalTree {
    /// What the server did not have in earlier syncs.
    func lostContents() throws -> [BlobName] {
        let bytes = try setting(.lostContents) ?? []
        return stride(from: 0, to: bytes.count, by: 32).compactMap {
            Hash256(bytes[$0..<min($0 + 32, bytes.count)]).map { BlobName(hash: $0) }
        }
    }

    func setLostContents(_ names: [BlobName]) throws {
        try set(.lostContents, to: names.isEmpty ? nil : names.flatMap(\.hash.bytes))
    }
}
