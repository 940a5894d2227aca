import LockbookCrypto
import LockbookModel

/// Seals a content too large for memory into a file of the blob folder.
struct ContentWriter {
    static let inMemoryByteCount = 262_144
    /// More bytes than a marker with the names of an account and of a device has.
    private static let longestMarker = 4_096

    let reference: FileReference
    let file: FileID
    let owner: AccountID
    /// The document as it was when this was made; nil where there was none.
    let found: File?
    let version: VersionID
    let key: ContentKey
    /// Contents that the new one may turn out to be equal to.
    let known: [Content]
    /// What stands in front of the source's bytes.
    var prefix: ContentReader?
    /// What was read of a source before, and follows that.
    var added: Added?

    /// Whether the document is there already.
    var exists: Bool { found != nil }

    struct Sealed {
        let facts: SealedContentFacts
        /// Set when the bytes are those of a known content; no blob was kept then.
        let same: Content?
        /// The bytes, should that content be let go of meanwhile.
        var spare: SpareContent?
        /// How many of the bytes were there before the source's.
        let foundByteCount: UInt64
    }

    /// The end of a content that was sealed.
    struct Added {
        var reader: ContentReader
        let foundByteCount: UInt64
    }

    /// Reads the source to its end; the blob is a durable file afterwards.
    func seal(
        from source: () throws -> [UInt8]?,
        environment: EngineEnvironment,
        blobs: BlobFolder
    ) throws -> Sealed {
        let target = try blobs.temporary(random: environment.random)
        do {
            return try seal(from: source, into: target, blobs: blobs)
        } catch {
            blobs.discard(target)
            throw error
        }
    }

    private func seal(
        from source: () throws -> [UInt8]?,
        into target: DiskFile,
        blobs: BlobFolder
    ) throws -> Sealed {
        var digesters = known.map { $0.key.digester() }
        var sealer: ContentSealer?
        let binding = Content.binding(owner: owner, file: file, version: version)
        var byteCount: UInt64 = 0
        func take(_ bytes: [UInt8]) throws {
            for index in digesters.indices { digesters[index].update(bytes) }
            if sealer == nil {
                sealer = try ContentSealer(
                    key: key,
                    compression: try ContentSealer.compression(
                        forBeginning: Array(bytes.prefix(65_536))
                    ),
                    bound: binding
                )
            }
            try target.write(try sealer?.update(bytes) ?? [])
            byteCount += UInt64(bytes.count)
        }
        var lacksEnd = false
        if var prefix {
            var end: [UInt8] = []
            try prefix.readAll {
                end = (end + $0.suffix(Self.longestMarker)).suffix(Self.longestMarker)
                try take($0)
            }
            lacksEnd = ConflictBlocks.endsInMarker(end)
        }
        var foundByteCount = byteCount
        func add(_ piece: [UInt8]) throws {
            guard let first = piece.first else { return }
            if lacksEnd, first != 0x0A {
                try take([0x0A])
                foundByteCount += 1
            }
            lacksEnd = false
            try take(piece)
        }
        if var added {
            var left = added.foundByteCount
            try added.reader.readAll { piece in
                let passed = min(left, UInt64(piece.count))
                left -= passed
                try add(Array(piece.dropFirst(Int(passed))))
            }
        }
        while let piece = try source() { try add(piece) }
        guard var sealer else { throw LockbookError.store(reason: "nothing to write") }
        let (last, facts) = try sealer.finish()
        try target.write(last)
        for (content, digester) in zip(known, digesters)
        where content.size == facts.size && digester.finish() == content.digest {
            return Sealed(
                facts: facts,
                same: content,
                spare: SpareContent(target, in: blobs),
                foundByteCount: foundByteCount
            )
        }
        try blobs.keep(target, as: facts.blob)
        return Sealed(facts: facts, same: nil, foundByteCount: foundByteCount)
    }
}

extension LocalTree {
    func writer(for reference: FileReference, append: Bool) throws -> ContentWriter {
        let reference = try resolved(reference)
        var found: File?
        if case .path(let path) = reference {
            // Say now what is wrong with a name, not after a gigabyte was read.
            _ = try Self.names(of: path)
            if try find(path: path) != nil {
                found = try document(at: reference)
            } else if path.endsWithSlash {
                throw LockbookError.slashAtEnd(path: path)
            }
        } else {
            found = try document(at: reference)
        }
        var known: [Content] = []
        var prefix: ContentReader?
        if let found {
            let base = try row(found.id).flatMap { try self.base($0) }
            known = [found.content, base?.content].compactMap { $0 }
            if append {
                switch try openContent(of: found, path: reference.text) {
                case .empty: break
                case .absent: throw LockbookError.contentNotHere(path: reference.text)
                case .here(let reader): prefix = reader
                }
            }
        }
        return ContentWriter(
            reference: reference,
            file: found?.id ?? FileID(random: environment.random),
            owner: owner,
            found: found,
            version: VersionID(random: environment.random),
            key: ContentKey(random: environment.random),
            known: known,
            prefix: prefix
        )
    }

    /// Seals inside this transaction.
    func finish(_ writer: ContentWriter, from source: () throws -> [UInt8]?) throws {
        try keep(
            try writer.seal(from: source, environment: environment, blobs: blobs),
            of: writer
        )
    }

    /// Whether a document for which a writer was made is still there; where there was none, whether there
    /// is none.
    /// - Parameter withContent: whether it still has the content that it had, too.
    func isAsFound(by writer: ContentWriter, withContent: Bool) throws -> Bool {
        guard let found = writer.found else {
            guard case .path(let path) = try resolved(writer.reference) else { return false }
            return try find(path: path) == nil
        }
        guard let row = try row(found.id), try !isDead(row) else { return false }
        return try !withContent || file(row).content?.identity == found.content?.identity
    }

    /// What a source gave, as it was sealed behind what the document had then.
    func added(in sealed: ContentWriter.Sealed, of writer: ContentWriter) throws
        -> ContentWriter.Added
    {
        let reader = ContentReader(
            .file(try sealed.spare?.reader() ?? blobs.open(sealed.facts.blob)),
            content: Content(version: writer.version, key: writer.key, facts: sealed.facts),
            binding: Content.binding(owner: owner, file: writer.file, version: writer.version),
            path: writer.reference.text
        )
        return ContentWriter.Added(reader: reader, foundByteCount: sealed.foundByteCount)
    }

    /// Refers to a content that was sealed before this transaction began.
    /// - Parameter isGuarded: whether another content that the document got while this one was sealed
    ///   stays.
    /// - Throws: `.changedHere` where it does.
    func keep(
        _ sealed: ContentWriter.Sealed,
        of writer: ContentWriter,
        guarded isGuarded: Bool = false,
        created: Timestamp? = nil,
        modified: Timestamp? = nil,
        isExecutable: Bool? = nil
    ) throws {
        // Before all that can fail: then the file goes.
        if sealed.same == nil { try addBlobFile(sealed.facts.blob) }
        var file: File
        if writer.exists {
            guard let row = try row(writer.file), try !isDead(row) else {
                throw LockbookError.notFound(path: writer.reference.text)
            }
            file = try self.file(row)
            guard !isGuarded || file.content?.identity == writer.found?.content?.identity else {
                throw LockbookError.changedHere(path: writer.reference.text)
            }
        } else {
            file = try document(at: writer.reference)
            guard try row(file.id) == nil else {
                let path = writer.reference.text
                throw isGuarded
                    ? LockbookError.changedHere(path: path) : LockbookError.exists(path: path)
            }
            file.id = writer.file
            if let created { file.created = pastTime(created) }
        }
        var content = Content(version: writer.version, key: writer.key, facts: sealed.facts)
        if let same = sealed.same, try hasContent(same, of: file) {
            content = same
        } else if let spare = sealed.spare {
            // Another process let go meanwhile of what it turned out to be equal to.
            try spare.keep(as: content.blob)
            try addBlobFile(content.blob)
        }
        file = try file.replacing(content, in: self)
        if let modified { file.modified = pastTime(modified) }
        if let isExecutable { file.isExecutable = isExecutable }
        try put(file)
    }
}
