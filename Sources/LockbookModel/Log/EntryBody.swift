package import LockbookCrypto

/// One record as an entry lists it.
package struct RecordReference: Hashable, Comparable, Sendable {
    package var file: FileID
    package var hash: Hash256

    package init(file: FileID, hash: Hash256) {
        self.file = file
        self.hash = hash
    }

    package static func < (left: RecordReference, right: RecordReference) -> Bool {
        (left.file, left.hash) < (right.file, right.hash)
    }
}

/// What one entry does in one scope: records, grants, wraps and purges, each sorted.
package struct EntryGroup: Equatable, Sendable {
    package static let format: UInt8 = 1
    /// A group that purges files; programs that know only the first format must not pass it by.
    package static let purgingFormat: UInt8 = 2
    /// A group that also tells what leaves the scope, or which scopes stand inside of it.
    package static let borderFormat: UInt8 = 3
    /// A group whose scope stands in another one than before.
    package static let movedFormat: UInt8 = 4
    package static let maximumRecordCount = 100_000
    package static let maximumGrantCount = 1_000

    package var scope: FileID
    package var records: [RecordReference]
    package var grants: [Grant]
    package var wraps: [GranteeWrap]
    /// Files that are gone for good after this entry.
    package var purged: [FileID]
    /// Files that are in another scope after this entry, which stands outside of this one: who sees
    /// this group alone knows from it that they are gone.
    package var left: [FileID]
    /// The scopes inside of this one, where somebody is let in: he is to get their groups as well.
    package var inner: [FileID]
    /// Whether the scope came into another one, or out of one, by itself or with what it is in.
    ///
    /// What the group tells of grants around it is then all that holds there.
    package var isMoved: Bool

    package init(
        scope: FileID,
        records: [RecordReference],
        grants: [Grant] = [],
        wraps: [GranteeWrap] = [],
        purged: [FileID] = [],
        left: [FileID] = [],
        inner: [FileID] = [],
        isMoved: Bool = false
    ) {
        self.scope = scope
        self.records = records.sorted()
        self.grants = grants.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
        self.wraps = wraps.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
        self.purged = purged.sorted()
        self.left = left.sorted()
        self.inner = inner.sorted()
        self.isMoved = isMoved
    }

    private var format: UInt8 {
        if isMoved { return Self.movedFormat }
        if !left.isEmpty || !inner.isEmpty { return Self.borderFormat }
        return purged.isEmpty ? Self.format : Self.purgingFormat
    }

    /// How many files the group changes or purges.
    package var fileCount: Int { records.count + purged.count }

    package var bytes: [UInt8] {
        var encoder = CanonicalEncoder(reserving: 64 + records.count * 48)
        let format = format
        encoder.append(format)
        encoder.append(fixed: scope.bytes)
        encoder.append(UInt32(records.count))
        for record in records {
            encoder.append(fixed: record.file.bytes)
            encoder.append(record.hash)
        }
        encoder.append(UInt32(grants.count))
        for grant in grants { encoder.append(counted: grant.bytes) }
        encoder.append(UInt32(wraps.count))
        for wrap in wraps { encoder.append(counted: wrap.bytes) }
        if format >= Self.purgingFormat { Self.append(purged, to: &encoder) }
        if format >= Self.borderFormat {
            Self.append(left, to: &encoder)
            Self.append(inner, to: &encoder)
        }
        encoder.append(counted: [])
        return encoder.bytes
    }

    package init(_ bytes: [UInt8]) throws {
        var decoder = CanonicalDecoder(bytes)
        try self.init(from: &decoder)
        try decoder.finish()
    }

    /// Reads groups that stand one after the other, as a device keeps those of its own entry.
    package static func list(_ bytes: [UInt8]) throws -> [EntryGroup] {
        var decoder = CanonicalDecoder(bytes)
        var groups: [EntryGroup] = []
        repeat { groups.append(try EntryGroup(from: &decoder)) } while !decoder.isAtEnd
        return groups
    }

    private init(from decoder: inout CanonicalDecoder) throws {
        let format = try decoder.format(knownUpTo: Self.movedFormat)
        isMoved = format == Self.movedFormat
        scope = FileID(exactly: try decoder.fixed(16))
        records = []
        for _ in 0..<(try decoder.count(of: 48, atMost: Self.maximumRecordCount, "records")) {
            let file = FileID(exactly: try decoder.fixed(16))
            records.append(RecordReference(file: file, hash: try decoder.hash()))
        }
        guard zip(records, records.dropFirst()).allSatisfy({ $0.file < $1.file }) else {
            throw DecodingFailure.invalid(field: "records")
        }
        grants = []
        for _ in 0..<(try decoder.count(of: 64, atMost: Self.maximumGrantCount, "grants")) {
            grants.append(try Grant(Array(try decoder.counted())))
        }
        wraps = []
        for _ in 0..<(try decoder.count(of: 64, atMost: Self.maximumGrantCount, "wraps")) {
            wraps.append(try GranteeWrap(Array(try decoder.counted())))
        }
        guard Self.isRising(grants.map(\.bytes)), Self.isRising(wraps.map(\.bytes)) else {
            throw DecodingFailure.invalid(field: "grants")
        }
        (purged, left, inner) = ([], [], [])
        if format >= Self.purgingFormat {
            purged = try Self.files(from: &decoder, besides: records.map(\.file), "purged")
            guard format > Self.purgingFormat || !purged.isEmpty else {
                throw DecodingFailure.invalid(field: "purged")
            }
        }
        if format >= Self.borderFormat {
            left = try Self.files(from: &decoder, besides: records.map(\.file) + purged, "left")
            inner = try Self.files(from: &decoder, besides: [scope], "inner")
            // Of one thing there is one form.
            guard format == self.format else { throw DecodingFailure.invalid(field: "left") }
        }
        // Fields of a later format.
        _ = try decoder.counted()
    }

    private static func append(_ files: [FileID], to encoder: inout CanonicalEncoder) {
        encoder.append(UInt32(files.count))
        for file in files { encoder.append(fixed: file.bytes) }
    }

    /// A list of files, none of which stands in another one of the group.
    private static func files(
        from decoder: inout CanonicalDecoder,
        besides others: [FileID],
        _ field: StaticString
    ) throws -> [FileID] {
        var files: [FileID] = []
        for _ in 0..<(try decoder.count(of: 16, atMost: maximumRecordCount, field)) {
            files.append(FileID(exactly: try decoder.fixed(16)))
        }
        guard zip(files, files.dropFirst()).allSatisfy({ $0 < $1 }),
            files.isEmpty || Set(files).isDisjoint(with: others)
        else { throw DecodingFailure.invalid(field: field) }
        return files
    }

    package static func hash(of bytes: [UInt8]) -> Hash256 {
        Hash256(label: "lockbook/v1/group", bytes)
    }

    private static func isRising(_ items: [[UInt8]]) -> Bool {
        zip(items, items.dropFirst()).allSatisfy { $0.lexicographicallyPrecedes($1) }
    }
}

extension CanonicalDecoder {
    /// How many items follow, refused before the first of them is read: a grant's keys cost a
    /// tenth of a millisecond to check.
    fileprivate mutating func count(of size: Int, atMost maximum: Int, _ field: StaticString)
        throws(DecodingFailure) -> Int
    {
        let count = try count(itemsOfAtLeast: size)
        guard count <= maximum else { throw .invalid(field: field) }
        return count
    }
}

/// One group of an entry as a reader gets it: whole, or only its hash when it is not his to see.
package enum SeenGroup: Equatable, Sendable {
    case whole([UInt8])
    case hidden(Hash256)

    package var hash: Hash256 {
        switch self {
        case .whole(let bytes): EntryGroup.hash(of: bytes)
        case .hidden(let hash): hash
        }
    }
}

/// What a header's body hash is over: the hashes of the groups, in the order of their scopes, and
/// in a log's first entry the account's certificate.
///
/// In a log of which something is shared the scopes are part of it: a reader must see of a group
/// that he does not get whole that it is not one of his.
package struct EntryBody: Equatable, Sendable {
    package static let format: UInt8 = 1
    package static let sharedFormat: UInt8 = 2
    package static let maximumGroupCount = 1_000

    package var certificate: [UInt8]?
    package var groups: [SeenGroup]
    /// The scope of each group; nil where nothing was shared yet.
    package var scopes: [FileID]?

    package init(certificate: [UInt8]? = nil, groups: [SeenGroup], scopes: [FileID]? = nil) {
        self.certificate = certificate
        self.groups = groups
        self.scopes = scopes
    }

    package var hash: Hash256 {
        var encoder = CanonicalEncoder(reserving: 64 + groups.count * 32)
        encoder.append(scopes == nil ? Self.format : Self.sharedFormat)
        encoder.append(certificate != nil)
        if let certificate {
            encoder.append(Hash256(label: "lockbook/v1/certificate", certificate))
        }
        encoder.append(UInt32(groups.count))
        for (index, group) in groups.enumerated() {
            if let scopes { encoder.append(fixed: scopes[index].bytes) }
            encoder.append(group.hash)
        }
        return Hash256(label: "lockbook/v1/entry-body", encoder.bytes)
    }
}
