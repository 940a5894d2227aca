import Glibc
import LockbookCrypto
import LockbookModel

extension DiskImport {
    /// Seals a document too large for a batch, in constant memory.
    mutating func takeLarge(
        _ file: DiskFile,
        _ status: stat,
        at target: ImportPath,
        source: String,
        _ mark: ImportedMark?
    ) throws {
        var mark = mark
        do { try storeLarge(file, status, at: target.shown, source: source, &mark) } catch let error
            as LockbookError
        {
            if error.leavesNote, let mark { note(mark, known(mark, after: error)) }
            try refuse(error, source, behind: link)
        }
    }

    private mutating func storeLarge(
        _ file: DiskFile,
        _ status: stat,
        at path: String,
        source: String,
        _ mark: inout ImportedMark?
    ) throws {
        try mark?.compareElsewhere { try digest(of: file, status) }
        // Made before anything is decided: what is decided is about the note that it found.
        let writer = try store.read { [options, mark] tree in
            try ImportGuard(options, in: tree).checkOwner(of: mark, at: path)
            return try tree.writer(for: .path(path), append: false)
        }
        let present = writer.found
        if let known = present?.content, known.size == UInt64(status.st_size),
            let digest = try digest(of: file, status, matching: known)
        {
            count(\.unchanged, bytes: status.st_size, source: source)
            if let mark { note(mark, taken(mark, digest)) }
            return
        }
        var isKnown = false
        if let present {
            let rule = try rule(for: present, at: path, file, status, mark)
            isKnown = rule.isKnown
            guard rule.replaces else {
                count(\.unchanged, bytes: status.st_size, source: source)
                if let mark { note(mark, taken(mark, mark.before?.digest)) }
                return
            }
        }
        guard let (sealed, hash) = try seal(file, status, with: writer) else {
            if let mark { note(mark, mark.before ?? mark.elsewhere) }
            return problem(source, "it was emptied while it was read")
        }
        var due = due(mark.map { [($0, Int(status.st_size))] } ?? [])
        if let mark, due[mark.key] != nil {
            due[mark.key]?.files[mark.name] = taken(mark, hash)
        }
        try store.change { [options, due] tree in
            try tree.keep(
                sealed,
                of: writer,
                guarded: !options.force,
                modified: status.modified,
                isExecutable: status.isExecutable
            )
            try put(due, in: tree)
        }
        if writer.exists, !isKnown, mark != nil { report.replaced?.append(source) }
        count(
            writer.exists ? \.updated : \.created,
            bytes: status.st_size,
            source: source,
            behind: link
        )
        if let mark { note(mark, taken(mark, hash)) }
        try keep(due)
        if try !file.read(1).isEmpty { problem(source, Self.growing) }
    }

    /// Whether a note is known to be made of a file, and whether it gives way to what that is now.
    private func rule(
        for present: File,
        at path: String,
        _ file: DiskFile,
        _ status: stat,
        _ mark: ImportedMark?
    ) throws -> (isKnown: Bool, replaces: Bool) {
        try store.read { tree in
            let rule = ImportGuard(options, in: tree)
            let isKnown = try rule.isKnown(mark, of: present)
            let replaces = try rule.replaces(
                present,
                at: path,
                changed: status.modified,
                mark,
                digest: { try digest(of: file, status) }
            )
            return (isKnown: isKnown, replaces: replaces)
        }
    }

    /// Reads and seals a file, as long as it was when it was opened.
    /// - Returns: the digest of what was read, too; nil for a file in which nothing is any more.
    private func seal(_ file: DiskFile, _ status: stat, with writer: ContentWriter) throws
        -> (sealed: ContentWriter.Sealed, digest: Hash256)?
    {
        var hasher = Hasher256()
        do {
            var left = Int(status.st_size)
            var first: [UInt8]? = try file.read(min(left, 262_144))
            guard first?.isEmpty == false else { return nil }
            let sealed = try writer.seal(
                from: {
                    guard left > 0 else { return nil }
                    let piece = try first ?? file.read(min(left, 262_144))
                    first = nil
                    left -= piece.count
                    hasher.update(piece)
                    return piece.isEmpty ? nil : piece
                },
                environment: store.environment,
                blobs: store.blobs
            )
            return (sealed, hasher.finish())
        } catch let failure as DiskFailure where failure.path != file.path {
            // The file can be read: where our own disk is full, no other one goes in either.
            throw failure.keepingContent(in: store.context.account.directory)
        }
    }

    /// The digest of a file, which stands at its beginning again.
    private func digest(of file: DiskFile, _ status: stat) throws -> Hash256 {
        var hasher = Hasher256()
        try file.readAll(atMost: Int(status.st_size)) { hasher.update($0) }
        lseek(file.descriptor, 0, SEEK_SET)
        return hasher.finish()
    }

    /// The digest of a file that has what its note has already; nil for another one.
    ///
    /// It stands at its beginning again.
    private func digest(of file: DiskFile, _ status: stat, matching known: Content) throws
        -> Hash256?
    {
        var digester = known.key.digester()
        var hasher = Hasher256()
        try file.readAll(atMost: Int(status.st_size)) {
            digester.update($0)
            hasher.update($0)
        }
        lseek(file.descriptor, 0, SEEK_SET)
        return digester.finish() == known.digest ? hasher.finish() : nil
    }
}
