import Glibc
import LockbookCrypto
import LockbookModel

extension Lockbook {
    /// Replaces a document's bytes, or adds to them; a missing document is made, folders too.
    ///
    /// The old content stays until the source has ended and the new one is durable.
    /// - Parameters:
    ///   - fetch: brings what the bytes are added to, when a sync has told of another version of it
    ///     since and not brought it; what was read is kept meanwhile.
    ///   - source: gives the next bytes, nil at the end.
    /// - Throws: `.linkGone` where what was meant for a share would become a document of one's own.
    public func write(
        _ reference: FileReference,
        append: Bool,
        fetching fetch: (() throws -> Void)? = nil,
        from source: () throws -> [UInt8]?
    ) throws {
        do {
            try replace(reference, append: append, fetching: fetch, from: source)
        } catch let failure as DiskFailure {
            throw failure.keepingContent(in: account.directory)
        }
    }

    private func replace(
        _ reference: FileReference,
        append: Bool,
        fetching fetch: (() throws -> Void)?,
        from source: () throws -> [UInt8]?
    ) throws {
        let link = try store.read { try $0.link(on: reference) }
        var beginning: [UInt8] = []
        var ended = false
        while !ended, beginning.count <= ContentWriter.inMemoryByteCount {
            if let piece = try source() { beginning += piece } else { ended = true }
        }
        if ended {
            let bytes = beginning
            try again(after: fetch) {
                try across(reference) {
                    try store.change { tree in
                        try tree.require(link, on: reference)
                        try tree.write(bytes, to: reference, append: append)
                    }
                } there: { place in
                    try requireLink(link, on: reference)
                    try place.lockbook.store.change {
                        try $0.write(bytes, to: place.reference, append: append)
                    }
                }
            }
        } else {
            var held: [UInt8]? = beginning
            func rest() throws -> [UInt8]? {
                defer { held = nil }
                return try held ?? source()
            }
            try across(reference) {
                try store.read { try $0.require(link, on: reference) }
                try writeLarge(reference, append: append, fetching: fetch, from: rest)
            } there: { place in
                try requireLink(link, on: reference)
                try place.lockbook.writeLarge(
                    place.reference,
                    append: append,
                    fetching: fetch,
                    from: rest
                )
            }
        }
    }

    /// Refuses a path that leads into what another account shares, and led to one's own before.
    private func requireLink(_ link: CrossesLink?, on reference: FileReference) throws {
        guard link == nil, let new = try store.read({ try $0.link(on: reference) }) else { return }
        throw LockbookError.linkCame(path: new.link)
    }

    /// Does something once more that found a content away, when that was fetched.
    private func again<Result>(after fetch: (() throws -> Void)?, _ body: () throws -> Result)
        throws -> Result
    {
        guard let fetch else { return try body() }
        for _ in 0..<8 {
            do { return try body() } catch LockbookError.contentNotHere { try fetch() }
        }
        return try body()
    }

    /// Seals into a file beside the database, and refers to it when it is durable.
    ///
    /// Nobody waits for whoever gives the bytes.
    private func writeLarge(
        _ reference: FileReference,
        append: Bool,
        fetching fetch: (() throws -> Void)?,
        from source: () throws -> [UInt8]?
    ) throws {
        // What is added to is looked for before the rest is read.
        let writer = try again(after: fetch) {
            try store.read { try $0.writer(for: reference, append: append) }
        }
        let sealed = try writer.seal(from: source, environment: environment, blobs: store.blobs)
        let isKept = try store.change { tree in
            guard try tree.isAsFound(by: writer, withContent: append) else { return false }
            try tree.keep(sealed, of: writer)
            return true
        }
        if !isKept { try keepAgain(sealed, of: writer, append: append, fetching: fetch) }
    }

    /// Puts what was read where it belongs by now: the document was changed meanwhile, deleted or made.
    private func keepAgain(
        _ sealed: ContentWriter.Sealed,
        of writer: ContentWriter,
        append: Bool,
        fetching fetch: (() throws -> Void)?
    ) throws {
        defer { if sealed.same == nil { store.removeFiles(of: [sealed.facts.blob]) } }
        try again(after: fetch) {
            // It stands still meanwhile: all bytes are here.
            try store.change { tree in
                var now = try tree.writer(for: writer.reference, append: append)
                now.added = try tree.added(in: sealed, of: writer)
                try tree.finish(now) { nil }
            }
        }
    }
}

extension LocalTree {
    /// The link that a path leads over, or whose it is.
    fileprivate func link(on reference: FileReference) throws -> CrossesLink? {
        guard case .path(let path) = reference else { return nil }
        do {
            return try find(path: path).flatMap { try crossing($0) }
        } catch let crossing as CrossesLink {
            return crossing
        }
    }

    /// Refuses a path that led over a link, and leads over none any more, or to something else.
    /// - Parameter link: the one that it led over.
    fileprivate func require(_ link: CrossesLink?, on reference: FileReference) throws {
        guard let link, try self.link(on: reference)?.target != link.target else { return }
        throw LockbookError.linkGone(path: link.link)
    }

    /// Replaces a content that is at hand.
    func write(_ bytes: [UInt8], to reference: FileReference, append: Bool) throws {
        var file = try document(at: reference)
        var plaintext = bytes
        if append {
            switch try openContent(of: file, path: reference.text) {
            case .empty: break
            case .absent: throw LockbookError.contentNotHere(path: reference.text)
            case .here(var reader):
                if file.size > UInt64(ContentWriter.inMemoryByteCount) {
                    var held: [UInt8]? = bytes
                    try finish(try writer(for: reference, append: true)) {
                        defer { held = nil }
                        return held
                    }
                    return
                }
                plaintext = try reader.bytes()
                if bytes.first ?? 0x0A != 0x0A, ConflictBlocks.endsInMarker(plaintext) {
                    plaintext.append(0x0A)
                }
                plaintext += bytes
            }
        }
        file = try replaceContent(of: file, with: plaintext)
        try put(file)
    }

    /// The file with a new content, whose blob this transaction keeps; unchanged bytes keep the
    /// version that they are of.
    func replaceContent(of file: File, with plaintext: [UInt8]) throws -> File {
        let row = try row(file.id)
        let base = try row.flatMap { try self.base($0) }
        for known in [file.content, base?.content]
        where UInt64(plaintext.count) == known?.size ?? 0 {
            if known == nil || known?.key.digest(plaintext) == known?.digest {
                return try file.replacing(known, in: self)
            }
        }
        guard !plaintext.isEmpty else { return try file.replacing(nil, in: self) }
        let key = ContentKey(random: environment.random)
        let version = VersionID(random: environment.random)
        let (blob, facts) = try ContentSealer.seal(
            plaintext,
            key: key,
            bound: Content.binding(owner: owner, file: file.id, version: version)
        )
        try keepBlob(blob, name: facts.blob)
        let content = Content(version: version, key: key, facts: facts)
        return try file.replacing(content, in: self)
    }

    /// The document that a user means, or a new one with the folders above it.
    func document(at reference: FileReference) throws -> File {
        let reference = try resolved(reference)
        if case .path(let path) = reference, try find(path: path) == nil {
            var names = try Self.names(of: path)
            guard let name = names.popLast(), !path.endsWithSlash else {
                throw LockbookError.slashAtEnd(path: path)
            }
            // What was shared went while a large content was on its way.
            guard try !isForeign || find(path: (names.first ?? name).text) != nil else {
                throw LockbookError.notFound(path: path)
            }
            let folder = try makeFolders(names)
            return try newFile(name, type: .document, in: folder)
        }
        let row = try find(reference)
        if let crossing = try crossing(row) { throw crossing }
        guard row.type == .document else {
            throw LockbookError.notADocument(path: reference.text)
        }
        guard !row.isDamaged else {
            throw LockbookError.damaged(file: reference.text, author: try author(of: row))
        }
        return try file(row)
    }
}

extension File {
    /// The file with another content; what was to be fetched of the one before is not any more.
    func replacing(_ new: Content?, in tree: LocalTree) throws -> File {
        guard new?.identity != content?.identity else { return self }
        try tree.clearAbsent(id)
        var file = self
        file.content = new
        file.modified = tree.environment.now()
        return file
    }
}

extension DiskFailure {
    /// What is said when a content cannot be put into the data directory.
    func keepingContent(in directory: String) -> LockbookError {
        switch storeLimit {
        case .full: .noSpace(for: directory)
        case .unwritable: .store(reason: "\(path): \(reason)", limit: .unwritable)
        case nil: .io(path: path, reason: reason)
        }
    }

    /// Why nothing more can be kept on a disk that said so.
    var storeLimit: StoreLimit? {
        switch code {
        case ENOSPC, EDQUOT: .full
        case EACCES, EPERM, EROFS: .unwritable
        default: nil
        }
    }
}
