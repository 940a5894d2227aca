import LockbookModel

/// Writes what was planned; what is small in batches, what is large straight through.
struct ForeignImport {
    let files: ForeignFiles
    let plan: ForeignPlan
    let target: [FileName]
    var importing: DiskImport

    mutating func run() throws {
        importing.report.problems += plan.problems
        importing.report.ignored += plan.ignored
        if plan.conflicts > 0 {
            importing.report.conflicts = (importing.report.conflicts ?? 0) + plan.conflicts
        }
        for folder in plan.folders { try append(folder) }
        for note in plan.notes { try append(note.place, source: note.source, note.bytes) }
        var missing = Set(plan.places.keys)
        // What stands in the backup of Standard Notes is in memory already.
        if !missing.isEmpty {
            try files.visit { [plan] member, read in
                guard let place = plan.places[member.path] else { return }
                missing.remove(member.path)
                try take(member.path, to: place, read)
            }
        }
        for path in missing.sorted() {
            importing.problem(path, "it was changed while it was read")
        }
    }

    private mutating func append(_ folder: [FileName]) throws {
        try importing.append(
            ImportItem(
                path: ImportPath(target + folder),
                source: folder.map(\.text).joined(separator: "/"),
                bytes: nil,
                modified: importing.store.environment.now(),
                isExecutable: false
            )
        )
    }

    private mutating func append(_ place: ForeignPlan.Place, source: String, _ bytes: [UInt8])
        throws
    {
        try importing.append(
            ImportItem(
                path: ImportPath(target + place.path),
                source: source,
                bytes: bytes,
                modified: place.modified ?? importing.store.environment.now(),
                isExecutable: false,
                created: place.created
            )
        )
    }

    private mutating func take(
        _ source: String,
        to place: ForeignPlan.Place,
        _ read: ForeignFiles.Read
    ) throws {
        if let note = place.note {
            guard let bytes = try ForeignFiles.all(read, atMost: ForeignPlan.largestNote) else {
                return importing.problem(source, "a note of more than 64 MB")
            }
            return try append(place, source: source, try note(bytes))
        }
        var beginning: [UInt8] = []
        while beginning.count <= ContentWriter.inMemoryByteCount {
            let piece = try read(1 << 16)
            if piece.isEmpty { return try append(place, source: source, beginning) }
            beginning += piece
        }
        try importing.flush()
        try importing.takeLarge(
            from: {
                defer { beginning = [] }
                let piece = beginning.isEmpty ? try read(262_144) : beginning
                return piece.isEmpty ? nil : piece
            },
            at: ImportPath(target + place.path),
            created: place.created,
            modified: place.modified,
            source: source
        )
    }
}

extension DiskImport {
    /// Seals a document too large for a batch, from bytes that can be had once.
    mutating func takeLarge(
        from bytes: () throws -> [UInt8]?,
        at target: ImportPath,
        created: Timestamp?,
        modified: Timestamp?,
        source: String
    ) throws {
        let path = target.shown
        do {
            let modified = modified ?? store.environment.now()
            let (writer, present) = try store.read { tree in
                let writer = try tree.writer(for: .path(path), append: false)
                return (writer, writer.exists ? try tree.document(at: .path(path)) : nil)
            }
            var size = 0
            let sealed = try writer.seal(
                from: {
                    let piece = try bytes()
                    size += piece?.count ?? 0
                    return piece
                },
                environment: store.environment,
                blobs: store.blobs
            )
            if let present {
                if sealed.same?.identity == present.content?.identity, sealed.same != nil {
                    return count(\.unchanged, bytes: size, source: source)
                }
                // No file of an export is remembered: it replaces the note, or is refused.
                _ = try store.read { [options] tree in
                    try ImportGuard(options, in: tree)
                        .replaces(present, at: path, changed: modified, nil)
                }
            }
            try store.change { tree in
                try tree.keep(
                    sealed,
                    of: writer,
                    created: created,
                    modified: modified,
                    isExecutable: false
                )
            }
            count(writer.exists ? \.updated : \.created, bytes: size, source: source)
        } catch let error as LockbookError {
            try refuse(error, source)
        }
    }
}
