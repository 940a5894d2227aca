import LockbookCrypto
import LockbookModel

extension Lockbook {
    /// Gives a document's bytes piece by piece, each verified; fetches them when they are not here.
    public func read(_ reference: FileReference, into sink: (_ bytes: [UInt8]) throws -> Void)
        async throws
    {
        try await across(reference) {
            try await readHere(reference, into: sink)
        } there: { place in
            try await place.lockbook.readHere(place.reference, into: sink)
        }
    }

    private func readHere(_ reference: FileReference, into sink: (_ bytes: [UInt8]) throws -> Void)
        async throws
    {
        var opened = try openContent(reference)
        if case .absent(let content) = opened {
            try await fetch(content, toRead: true)
            opened = try openContent(reference)
        }
        switch opened {
        case .empty: return
        case .absent(let content): throw LockbookError.contentNotHere(path: content.path)
        case .here(var reader):
            var given = 0
            do {
                try reader.readAll { bytes in
                    try sink(bytes)
                    given += bytes.count
                }
            } catch let damage as LockbookError where damage.isUnreadable {
                try await readAgain(
                    reference,
                    insteadOf: reader,
                    from: given,
                    after: damage,
                    into: sink
                )
            }
        }
    }

    /// Goes on with a content that does not open here, or is not read, when the server has it still.
    ///
    /// What was given so far was verified piece by piece. Where nothing was, what the document
    /// holds by then is as good.
    /// - Throws: `.changedMeanwhile` when it is another one: two halves are no document.
    private func readAgain(
        _ reference: FileReference,
        insteadOf broken: ContentReader,
        from given: Int,
        after damage: LockbookError,
        into sink: (_ bytes: [UInt8]) throws -> Void
    ) async throws {
        let content = try store.read { try $0.agreedContent(of: try $0.find(reference)) }
        if let content, content.blob == broken.blob, try await !fetchAgain(content) { throw damage }
        switch try openContent(reference) {
        case .absent: throw damage
        case .empty:
            guard given == 0 else { throw LockbookError.changedMeanwhile(path: broken.path) }
        case .here(var reader):
            guard given == 0 || reader.blob == broken.blob else {
                throw LockbookError.changedMeanwhile(path: broken.path)
            }
            var left = given
            try reader.readAll { bytes in
                let passed = min(left, bytes.count)
                left -= passed
                if passed < bytes.count { try sink(Array(bytes[passed...])) }
            }
        }
    }

    func openContent(_ reference: FileReference) throws -> OpenedContent {
        try store.read { tree in
            let row = try tree.find(reference)
            let path = try tree.path(of: row)
            if let crossing = try tree.crossing(row) { throw crossing }
            guard row.type == .document else { throw LockbookError.notADocument(path: path) }
            guard !row.isDamaged else {
                throw LockbookError.damaged(file: path, author: try tree.author(of: row))
            }
            return try tree.openContent(of: try tree.file(row), path: path)
        }
    }
}

/// A content that is to be read.
enum OpenedContent: Sendable {
    case empty
    case here(ContentReader)
    case absent(AbsentContent)
}

/// A content whose blob is on the server alone.
struct AbsentContent: Sendable {
    let path: String
    let blob: BlobName
    let size: UInt64
}

/// Opens a blob that is on this device, in constant memory.
struct ContentReader: Sendable {
    private let source: LocalTree.StoredBlob
    let content: Content
    private let binding: [UInt8]
    private let chunkKey: ChunkKey?
    let path: String

    /// Which content it is: no two versions have the same.
    var blob: BlobName { content.blob }

    init(
        _ source: LocalTree.StoredBlob,
        content: Content,
        binding: [UInt8],
        chunkKey: ChunkKey? = nil,
        path: String
    ) {
        self.source = source
        self.content = content
        self.binding = binding
        self.chunkKey = chunkKey
        self.path = path
    }

    /// A content of at most so many bytes is held in memory until all of it is verified.
    private static let heldByteCount: UInt64 = 512 << 10

    /// Gives a small content when all of it is verified, any other piece by piece, each verified.
    ///
    /// That a large one is cut short, or of another size or digest than its record tells, shows at its end.
    /// - Throws: `.damaged`, `.unreadableContent`.
    mutating func readAll(into sink: (_ bytes: [UInt8]) throws -> Void) throws {
        guard content.size <= Self.heldByteCount else {
            return try read(isDigested: true, into: sink)
        }
        var all: [UInt8] = []
        try read(isDigested: true) { all.append(contentsOf: $0) }
        if !all.isEmpty { try sink(all) }
    }

    private func read(isDigested: Bool, into sink: (_ bytes: [UInt8]) throws -> Void) throws {
        do {
            var opener = try ContentOpener(
                key: content.key,
                compression: content.compression,
                size: content.size,
                bound: binding,
                chunkKey: chunkKey,
                isDigested: isDigested
            )
            try source.readAll { try opener.update($0, into: sink) }
            let digest = try opener.finish(into: sink)
            guard !isDigested || digest == content.digest else { throw OpeningFailure.malformed }
        } catch is OpeningFailure {
            throw LockbookError.damaged(file: path, author: "")
        } catch let failure as DiskFailure where failure.path == source.path {
            throw failure.reading(path)
        }
    }

    /// The whole of a small content, for who only looks for something in it: what is found there is
    /// shown after `prove(_:)`.
    func unproved() throws -> [UInt8] {
        var all: [UInt8] = []
        try read(isDigested: false) { all.append(contentsOf: $0) }
        return all
    }

    /// - Throws: `.damaged` when the text is not the one that the document's record tells of.
    func prove(_ text: [UInt8]) throws {
        guard content.key.digest(text) == content.digest else {
            throw LockbookError.damaged(file: path, author: "")
        }
    }

    /// Whether it gives the bytes of another content, of which the digest alone is needed.
    mutating func isSame(as other: Content) throws -> Bool {
        guard content.size == other.size else { return false }
        var digester = other.key.digester()
        try readAll { digester.update($0) }
        return digester.finish() == other.digest
    }

    /// The whole content, for what is small or has to be merged.
    mutating func bytes() throws -> [UInt8] {
        var all: [UInt8] = []
        try readAll { all.append(contentsOf: $0) }
        return all
    }
}

extension LocalTree {
    func openContent(of file: File, path: @autoclosure () throws -> String) throws -> OpenedContent
    {
        try open(file.content, of: file.id, path: try path())
    }

    /// - Parameter chunkKey: what the content's key gives, where that is known.
    func open(
        _ content: Content?,
        of file: FileID,
        chunkKey: ChunkKey? = nil,
        path: @autoclosure () throws -> String
    ) throws -> OpenedContent {
        guard let content else { return .empty }
        guard let blob = try blob(content.blob) else {
            return .absent(
                AbsentContent(path: try path(), blob: content.blob, size: content.blobSize)
            )
        }
        let binding = Content.binding(owner: owner, file: file, version: content.version)
        return .here(
            ContentReader(
                blob,
                content: content,
                binding: binding,
                chunkKey: chunkKey,
                path: try path()
            )
        )
    }

    func author(of row: FileRow) throws -> String {
        guard let bytes = row.current, let record = try? FileRecord(bytes) else { return "" }
        return try username(of: record.facts.author)
    }
}
