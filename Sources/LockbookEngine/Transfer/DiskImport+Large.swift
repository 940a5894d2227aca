import Glibc
import LockbookCrypto
import LockbookModel

extension DiskImport {
    /// Seals a document too large for a batch, in constant memory.
    mutating func takeLarge(
        _ file: DiskFile,
        _ status: stat,
        at target: [FileName],
        source: String,
        _ mark: ImportedMark?
    ) throws {
        let path = "/" + target.map(\.text).joined(separator: "/")
        do {
            let present = try store.read { tree -> File? in
                guard let row = try tree.find(path: path), row.type == .document,
                    !row.isDamaged
                else { return nil }
                return try tree.file(row)
            }
            if let known = present?.content, known.size == UInt64(status.st_size) {
                var digester = known.key.digester()
                var hasher = Hasher256()
                while true {
                    let piece = try file.read(262_144)
                    if piece.isEmpty { break }
                    digester.update(piece)
                    hasher.update(piece)
                }
                lseek(file.descriptor, 0, SEEK_SET)
                if digester.finish() == known.digest {
                    count(\.unchanged, bytes: status.st_size, source: source)
                    remember(mark, hasher.finish())
                    return
                }
            }
            var isKnown = false
            if let present {
                isKnown = try mark?.before?.isRefused == false || isCopy(mark, of: present) == true
                let rule = ImportGuard(force: options.force, checksum: options.checksum)
                let verdict = try rule.verdict(
                    note: present.modified,
                    file: status.modified,
                    before: mark?.before,
                    isCopy: { try isCopy(mark, of: present) },
                    isUndecided: {
                        try store.read { try $0.row(present.id).map($0.holdsMarkers) ?? false }
                    },
                    holds: { digest in try store.read { try $0.holds(digest, present) } }
                )
                switch verdict {
                case .replace: break
                case .keep:
                    count(\.unchanged, bytes: status.st_size, source: source)
                    remember(mark, mark?.before?.digest)
                    return
                case .refuse:
                    keepRefused(mark)
                    throw LockbookError.changedHere(path: path)
                }
            }
            let writer = try store.read { try $0.writer(for: .path(path), append: false) }
            var hasher = Hasher256()
            let sealed = try writer.seal(
                from: {
                    let piece = try file.read(262_144)
                    hasher.update(piece)
                    return piece.isEmpty ? nil : piece
                },
                environment: store.environment,
                blobs: store.blobs
            )
            try store.change { tree in
                try tree.keep(
                    sealed,
                    of: writer,
                    modified: status.modified,
                    isExecutable: status.isExecutable
                )
            }
            if writer.exists, !isKnown, mark != nil { report.replaced?.append(source) }
            count(
                writer.exists ? \.updated : \.created,
                bytes: status.st_size,
                source: source
            )
            remember(mark, hasher.finish())
        } catch let error as LockbookError {
            try refuse(error, source)
        }
    }

    /// Whether a file was exported from a note as this is now; nil where no export of it wrote one.
    private func isCopy(_ mark: ImportedMark?, of note: File) throws -> Bool? {
        try store.read { try ExportedVersions($0).isCopy(mark, of: note) }
    }
}
