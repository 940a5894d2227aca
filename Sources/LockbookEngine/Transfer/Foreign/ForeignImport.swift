import LockbookCrypto
import LockbookModel

/// Writes what was planned; what is small in batches, what is large straight through.
struct ForeignImport {
    let files: ForeignFiles
    let plan: ForeignPlan
    var folders: ForeignFolders
    var importing: DiskImport

    mutating func run() throws {
        importing.report.problems += plan.problems
        importing.report.ignored += plan.ignored
        if plan.conflicts > 0 {
            importing.report.conflicts = (importing.report.conflicts ?? 0) + plan.conflicts
        }
        for (id, path) in plan.folders { try append(folder: id, path) }
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
        // The next export may have the same items: it has to know what became of them.
        try importing.flush()
    }

    private mutating func append(folder id: String, _ path: [FileName]) throws {
        try importing.append(
            ImportItem(
                path: ImportPath(folders.path(of: path)),
                source: path.map(\.text).joined(separator: "/"),
                bytes: nil,
                modified: importing.store.environment.now(),
                isExecutable: false,
                foreign: mark(id, path)
            )
        )
    }

    private func mark(_ id: String, _ path: [FileName]) -> ForeignMark {
        let before = importing.foreign?.memory.items[id]?.file
        return ForeignMark(id: id, path: path, before: before)
    }

    private mutating func append(_ place: ForeignPlan.Place, source: String, _ bytes: [UInt8])
        throws
    {
        try importing.append(
            ImportItem(
                path: ImportPath(folders.path(of: place.path)),
                source: source,
                bytes: bytes,
                modified: place.modified ?? importing.store.environment.now(),
                isExecutable: false,
                created: place.created,
                foreign: mark(place.id, place.path)
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
            let made = try note(bytes)
            for path in made.lost {
                importing.problem(source, "the export does not hold its attachment \(path)")
            }
            return try append(place, source: source, made.bytes)
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
            at: ImportPath(folders.path(of: place.path)),
            created: place.created,
            modified: place.modified,
            source: source,
            mark(place.id, place.path)
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
        source: String,
        _ mark: ForeignMark
    ) throws {
        do {
            let path = try store.read { tree in
                try tree.standing(mark).map { try tree.path(of: $0) } ?? target.shown
            }
            let modified = modified ?? store.environment.now()
            let writer = try store.read { try $0.writer(for: .path(path), append: false) }
            let present = writer.found
            var size = 0
            var hasher = Hasher256()
            let sealed = try writer.seal(
                from: {
                    let piece = try bytes()
                    size += piece?.count ?? 0
                    if let piece { hasher.update(piece) }
                    return piece
                },
                environment: store.environment,
                blobs: store.blobs
            )
            let digest = hasher.finish()
            var isWanted = false
            defer {
                if !isWanted, sealed.same == nil { store.removeFiles(of: [sealed.facts.blob]) }
            }
            if let present {
                if sealed.same?.identity == present.content?.identity, sealed.same != nil {
                    try learn(mark, present.id, digest)
                    return count(\.unchanged, bytes: size, source: source)
                }
                let replaces = try store.read { [options] tree in
                    try ImportGuard(options, in: tree)
                        .replaces(present, at: path, mark, digest: digest)
                }
                guard replaces else {
                    return count(\.unchanged, bytes: size, source: source)
                }
            }
            let news = foreign?.news(of: mark, writer.file, digest) ?? ForeignMemory()
            // From here on the transaction knows best whether something may refer to it.
            isWanted = true
            try store.change { [options, foreign] tree in
                try tree.keep(
                    sealed,
                    of: writer,
                    guarded: !options.force,
                    created: created,
                    modified: modified,
                    isExecutable: false
                )
                try foreign?.put(news, in: tree)
            }
            if let present, !mark.isKnown(of: present.id) { report.replaced?.append(path) }
            foreign?.learn(news)
            count(writer.exists ? \.updated : \.created, bytes: size, source: source)
        } catch let error as LockbookError {
            try refuse(error, error.keptNote ?? source)
        }
    }

    /// Puts down what became of an item that is here as it is there.
    private mutating func learn(_ mark: ForeignMark, _ file: FileID, _ digest: Hash256) throws {
        guard let news = foreign?.news(of: mark, file, digest), !news.items.isEmpty else { return }
        try store.write { [foreign] tree in try foreign?.put(news, in: tree) }
        foreign?.learn(news)
    }
}
